import type { ChatArchive } from '#contract/archive';
import { toArchivedChat, type Host, type Skipped, type Understood } from './foreign-chat.ts';
import { isFromChatGpt, readChatGpt } from './from-chatgpt.ts';
import { isFromClaude, readClaude } from './from-claude.ts';
import { isFromOpenWebUi, readOpenWebUi } from './from-open-webui.ts';
import { listOf, objectOf } from './loose.ts';

/** Makes chats of this service out of what a file says. Undefined when it is no file of chats. */
export function understand(value: unknown, host: Host): Understood | undefined {
  // Our own file is judged by the service, which wrote it.
  if (objectOf(value)['format'] === 'gatehouse-chats')
    return {
      chats: listOf(objectOf(value)['chats']) as ChatArchive['chats'],
      skipped: { chats: 0, messages: 0, files: 0 },
    };
  const rows = Array.isArray(value) ? value : [value];
  const skipped: Skipped = { chats: 0, messages: 0, files: 0 };
  const known = rows.flatMap((row) => {
    const reader = readers.find(({ isTheirs }) => isTheirs(row));
    return reader === undefined ? [] : [{ row, read: reader.read }];
  });
  if (known.length === 0) return undefined;
  skipped.chats = rows.length - known.length;
  const chats = known.flatMap(({ row, read }) => {
    const chat = toArchivedChat(read(row, host, skipped), host, skipped);
    if (chat === undefined) skipped.chats += 1;
    return chat ?? [];
  });
  return { chats, skipped };
}

/** Asked in this order. */
const readers = [
  { isTheirs: isFromChatGpt, read: readChatGpt },
  { isTheirs: isFromClaude, read: readClaude },
  { isTheirs: isFromOpenWebUi, read: readOpenWebUi },
] as const;
