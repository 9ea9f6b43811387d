import type { enFolders } from '../en/folders.ts';

/** Folders for chats, and the place of those that are put away. */
export const zhFolders: typeof enFolders = {
  title: '文件夹',
  create: '新文件夹',
  createTitle: '新文件夹',
  createAction: '创建文件夹',
  name: '名称',
  actions: (name) => `文件夹 ${name} 的操作`,
  rename: '重命名',
  delete: '删除文件夹',
  deleteQuestion: (name) => `删除文件夹“${name}”？其中的聊天会保留，不再归入文件夹。`,
  deleted: '文件夹已删除',
  moveTitle: '移到文件夹',
  noFolder: '无文件夹',
  orCreate: '或移到新文件夹',
  createAndMove: '创建并移动',
  moved: (name) => `已移到 ${name}`,
  movedOut: '已移出文件夹',
  archiveLead: '只是收起，并未删除：搜索能找到它们，在其中写消息会让它回来。',
  archiveEmpty: '没有归档内容。聊天的菜单可以把它放到这里。',
  lastMessage: '最后一条消息',
  archivedHere: '此聊天已归档。',
};
