import type { enImports } from '../en/imports.ts';
import { counted } from './counted.ts';

/** Chats from elsewhere. */
export const zhImports: typeof enImports = {
  lead: '以前从这里、ChatGPT、Claude 或 Open WebUI 导出的文件。导入的聊天会被添加；不会覆盖任何内容。文件在您的浏览器中读取。',
  unreadable:
    '这不是聊天文件。请选择本服务、ChatGPT、Claude（zip 或其中的 conversations.json）或 Open WebUI 的导出文件。',
  untitled: '导入的聊天',
  reading: '正在读取文件',
  progress: (imported, count) => `已导入 ${count} 个聊天中的 ${imported} 个`,
  stoppedAt: (imported, count) =>
    `已导入 ${count} 个聊天中的 ${imported} 个，其余没有。再次导入该文件会使已导入的重复。`,
  howTo: '从哪里获得这样的文件',
  chatGpt: 'ChatGPT：设置、数据管理、导出数据。邮件中的 zip 可以直接选择。',
  claude: 'Claude：设置、隐私、导出数据。邮件中的 zip 可以直接选择。',
  openWebUi: 'Open WebUI：设置、数据管理、导出聊天。',
  leftOut: {
    title: '未导入：',
    chats: (count) => counted(count, { other: '# 个空的或无法读取的聊天' }),
    messages: (count) => counted(count, { other: '# 条消息' }),
    files: (count) => counted(count, { other: '# 张图片或文件，以其名称代替' }),
  },
};
