import type { enContext } from '../en/context.ts';

/** What the model is given of a long conversation, and what becomes of the rest. */
export const zhContext: typeof enContext = {
  counted: '由模型自己的分词器计数。',
  summarised: '最早的消息由摘要代替。',
  willSummarise: '回答之前，模型会先总结最早的消息。',
  summarising: '正在总结最早的消息',
  choice: {
    title: '此对话已无法完整放入模型',
    explained: '模型可以在回答之前总结最早的消息，或者将其省略。无论哪种方式，您都保留全部消息。',
    summarise: '总结',
    leaveOut: '省略',
    always: '在所有聊天中都这样做',
  },
  summary: {
    title: '之前内容的摘要',
    by: (model) => `由 ${model}`,
    edited: '由您编辑',
    edit: '编辑',
    leaveOut: '改为省略',
    summarise: '改为总结',
    problem: '无法生成摘要，因此省略了最早的消息。',
    sent: '最早的消息放不下。代替它们发送的是这份摘要：',
  },
  settings: {
    title: '长对话',
    label: '当对话无法完整放入模型时',
    ask: '询问我',
    summarise: '总结最早的消息',
    leaveOut: '省略最早的消息',
  },
  byMeaning: {
    searched: '这些段落是按词语和含义找到的。',
    failed: '按含义的搜索没有及时回应：这些段落只是按词语找到的。',
  },
};
