import type { ArchivedChat } from '#vocabulary/conversations';

/** Chats as a file that can be imported again, written as it is read. */
export async function* writeArchive(
  all: AsyncIterable<ArchivedChat> | Iterable<ArchivedChat>,
  now: number,
): AsyncIterable<string> {
  const head = { format: 'gatehouse-chats', version: 1, exportedAt: now };
  yield `${JSON.stringify(head).slice(0, -1)},"chats":[`;
  let separator = '\n';
  for await (const chat of all) {
    yield `${separator}${JSON.stringify(chat.head).slice(0, -1)},"messages":[`;
    separator = '';
    for await (const slice of chat.messages) {
      for (const message of slice) {
        yield `${separator}\n${JSON.stringify(message)}`;
        separator = ',';
      }
    }
    yield '\n]}';
    separator = ',\n';
  }
  yield '\n]}\n';
}
