/** Where chats are kept: the few words of it that the sidebar and the menu of a chat need at once. */
export const enKeeping = {
  archive: 'Archive',
  archiveThis: 'Archive this chat',
  bringBack: 'Bring back',
  archived: 'Chat archived',
  broughtBack: 'Chat is back in the list',
  isArchived: 'Archived',
  archivedChats: 'Archived chats',
  move: 'Move to a folder',
  emptyFolder: 'Nothing in it yet',
};
