import { counted } from './counted.ts';
import type { enStatus } from '../en/status.ts';

/** The status page. */
export const zhStatus: typeof enStatus = {
  title: '状态',
  lead: '来自真实回答和极小的测试问题。每个条代表一天（UTC）：模型当天有多少时间可以回答。打开模型可查看更多。',
  states: {
    operational: '正常',
    degraded: '降级',
    outage: '中断',
    unknown: '尚不清楚',
  },
  overall: {
    operational: '一切正常',
    degraded: '有些功能不正常',
    outage: '模型没有响应',
    unknown: '尚未测试',
  },
  asOf: '截至',
  models: '模型',
  uptime: (share, days) => counted(days, { other: `# 天内可用 ${share}` }),
  noUptime: '尚未监测',
  firstToken: (time) => `首个 token 用时 ${time}`,
  uptimeRow: '每日可用性',
  daysAgo: '90 天前',
  today: '今天',
  day: {
    unwatched: '未监测',
    up: (share) => `可用 ${share}`,
    failed: (share) => `${share} 的回答失败`,
    watched: (share) => `监测了当天的 ${share}`,
    firstToken: (time) => `首个 token 用时 ${time}`,
  },
  noTrouble: '监测的日子里没有问题。',
  incidents: '事件',
  noIncidents: '最近 90 天没有。',
  impacts: { maintenance: '维护', degraded: '降级', outage: '中断' },
  open: '进行中',
  resolved: '已结束',
  concerns: (models) => `涉及 ${models}`,
  since: '自',
  forPrograms: '供程序使用的相同内容：',
  signIn: '登录',
};
