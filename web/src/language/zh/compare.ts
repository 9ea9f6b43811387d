import type { enCompare } from '../en/compare.ts';
import { counted } from './counted.ts';

/** One question to several models. */
export const zhCompare: typeof enCompare = {
  title: '比较模型',
  lead: '一个问题，由多个模型并排回答。每个回答都要排队，并照常计量。选择其中一个继续。',
  oneModel: '这里只提供一个模型：没有可比较的。',
  models: (fewest, most) => `模型（${fewest} 到 ${most} 个）`,
  question: '问题',
  blind: '在我投票之前隐藏名称',
  ask: (count) => counted(count, { other: '询问 # 个模型' }),
  answers: '回答',
  answer: (letter) => `回答 ${letter}`,
  blindHint: '名称已隐藏，顺序随机。为较好的回答投票，即可看到是谁写的。',
  vote: '这个更好',
  chosen: '您的选择',
  reveal: '不投票，直接显示名称',
  stop: '全部停止',
  goOn: '用这个继续',
  another: '比较另一个问题',
  export: '导出为 CSV',
  speed: (tokens, seconds) => `${tokens} 个 token，${seconds} 秒`,
};
