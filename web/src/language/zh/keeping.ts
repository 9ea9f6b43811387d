import type { enKeeping } from '../en/keeping.ts';

/** Where chats are kept: the few words of it that the sidebar and the menu of a chat need at once. */
export const zhKeeping: typeof enKeeping = {
  archive: '归档',
  archiveThis: '归档此聊天',
  bringBack: '恢复',
  archived: '聊天已归档',
  broughtBack: '聊天已回到列表',
  isArchived: '已归档',
  archivedChats: '已归档的聊天',
  move: '移到文件夹',
  emptyFolder: '里面还没有内容',
};
