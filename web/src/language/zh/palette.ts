import type { enPalette } from '../en/palette.ts';
import { counted } from './counted.ts';

/** The one dialog that finds everything. */
export const zhPalette: typeof enPalette = {
  title: '查找或执行操作',
  placeholder: '聊天、其中的词、模型、页面或操作',
  results: '结果',
  count: (count) => counted(count, { none: '没有找到', other: '# 个结果' }),
  nothing: '没有找到。搜索匹配完整的词及其开头。',
  searching: '正在搜索您的消息',
  groups: {
    actions: '操作',
    recent: '最近的聊天',
    chats: '聊天',
    spaces: '项目',
    presets: '预设',
    models: '模型',
    pages: '页面',
    messages: '消息中',
  },
  newChat: '新聊天',
  temporary: '临时聊天',
  compare: '比较模型',
  newFolder: '新文件夹',
  useHere: (model) => `在这里用 ${model} 回答`,
  startWith: (model) => `用 ${model} 开始新聊天`,
  light: '浅色主题',
  dark: '深色主题',
  system: '系统主题',
  settings: (page) => `设置：${page}`,
  administration: (page) => `管理：${page}`,
  move: '移动',
  open: '打开',
  close: '关闭',
};
