import type { ChatWithMessages } from '#contract/chats';
import type { Client } from '../client/client.ts';
import { withMessages } from './message-tree.ts';

/** Of a very long chat the server gives the end; what was read of its beginning is read again with it. */
export async function readChat(
  client: Client,
  chatId: string,
  known: ChatWithMessages | undefined,
): Promise<ChatWithMessages> {
  let read = await client.call('GET /console/chats/:chatId', { chatId });
  if (known === undefined) return read;
  while (read.earlierCursor !== undefined && !reaches(read, known)) {
    read = await readEarlier(client, read);
  }
  return read;
}

/** The chat with the page before what is known of it. */
export async function readEarlier(client: Client, known: ChatWithMessages): Promise<ChatWithMessages> {
  const { earlierCursor: before } = known;
  if (before === undefined) return known;
  const page = await client.call('GET /console/chats/:chatId', { chatId: known.chat.id, query: { before } });
  return withEarlier(known, page);
}

/** What is known already stays as it is: it may be newer. */
export function withEarlier(known: ChatWithMessages, page: ChatWithMessages): ChatWithMessages {
  const { earlierCursor: _, ...rest } = known;
  return {
    ...rest,
    messages: withMessages(page.messages, known.messages),
    ...(page.earlierCursor !== undefined && { earlierCursor: page.earlierCursor }),
  };
}

function reaches(read: ChatWithMessages, known: ChatWithMessages): boolean {
  return known.earlierCursor !== undefined && read.messages.some(({ id }) => id === known.earlierCursor);
}
