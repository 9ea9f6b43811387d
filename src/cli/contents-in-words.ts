import type { BackupContents } from '#storage';

export function contentsInWords({
  people,
  keys,
  chats,
  usageRecords,
}: Pick<BackupContents, 'people' | 'keys' | 'chats' | 'usageRecords'>): string {
  const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
  return [
    counted(people, 'person', 'people'),
    counted(keys, 'key', 'keys'),
    counted(chats, 'chat', 'chats'),
    counted(usageRecords, 'usage record', 'usage records'),
  ].join(', ');
}
