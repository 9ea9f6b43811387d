import { counted } from './counted.ts';

/** One question to several models. */
export const enCompare = {
  title: 'Compare models',
  lead: 'One question, answered by several models side by side. Each answer waits in the line and counts like any other. Choose one to go on with.',
  oneModel: 'Only one model is offered here: there is nothing to compare.',
  models: (fewest: number, most: number) => `Models (${fewest} to ${most})`,
  question: 'Question',
  blind: 'Hide the names until I have voted',
  ask: (count: number) => counted(count, { one: 'Ask one model', other: 'Ask # models' }),
  answers: 'Answers',
  answer: (letter: string) => `Answer ${letter}`,
  blindHint: 'The names are hidden and the order is random. Vote for the better answer to see who wrote it.',
  vote: 'This one is better',
  chosen: 'Your choice',
  reveal: 'Show the names without a vote',
  stop: 'Stop all',
  goOn: 'Go on with this one',
  another: 'Compare another question',
  export: 'Export as CSV',
  speed: (tokens: string, seconds: string) => `${tokens} tokens, ${seconds} s`,
};
