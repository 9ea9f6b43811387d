import type { enDrift } from '../en/drift.ts';

/** Administration, Usage: our sums beside the engines' own counters. */
export const zhDrift: typeof enDrift = {
  title: '与引擎自身的计数对照',
  lead: '本服务和各引擎各自统计的 token。正数：引擎做的比经过这里的多，因为还有别人在用它。负数：引擎不知道这里统计的某些工作。回答正在生成时，引擎可能略微领先。',
  show: '显示',
  everyEngine: '所有引擎，最近 24 小时',
  hoursOf: (engine) => `${engine}，逐小时`,
  engine: '引擎',
  hour: '小时',
  input: '输入',
  output: '输出',
  ours: '这里',
  theirs: '引擎',
  difference: '差异',
  notWhole: '不完整',
  notWholeNote:
    '不完整：本服务或引擎在该小时内启动，其间的部分两边都没有。统计从本服务启动时开始，回溯 48 小时。',
  none: '没有计数器',
  unread: '尚未能询问',
  noHours: '还没有比较过。',
};
