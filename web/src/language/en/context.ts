/** What the model is given of a long conversation, and what becomes of the rest. */
export const enContext = {
  counted: "Counted by the model's own tokenizer.",
  summarised: 'A summary stands for the oldest messages.',
  willSummarise: 'Before it answers, the model summarises the oldest messages.',
  summarising: 'Summarising the oldest messages',
  choice: {
    title: 'This conversation no longer fits into the model',
    explained:
      'The model can summarise the oldest messages before it answers, or they are left out. You keep them all either way.',
    summarise: 'Summarise them',
    leaveOut: 'Leave them out',
    always: 'Do the same in all chats',
  },
  summary: {
    title: 'Summary of what comes before',
    by: (model: string) => `by ${model}`,
    edited: 'edited by you',
    edit: 'Edit',
    leaveOut: 'Leave out instead',
    summarise: 'Summarise instead',
    problem: 'The summary could not be written, so the oldest messages were left out.',
    sent: 'The oldest messages did not fit. This summary went along for them:',
  },
  settings: {
    title: 'Long conversations',
    label: 'When a conversation no longer fits into the model',
    ask: 'Ask me',
    summarise: 'Summarise the oldest messages',
    leaveOut: 'Leave out the oldest messages',
  },
  /** How the passages of documents were found. */
  byMeaning: {
    searched: 'The passages were found by their words and by their meaning.',
    failed: 'The search by meaning did not answer in time: the passages were found by their words alone.',
  },
};
