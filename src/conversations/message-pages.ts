import type { Chat, ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore, MessageOutline } from '#vocabulary/conversation-store';
import { branchTo } from './branch.ts';

/** One page of a chat: enough for nearly every chat as a whole. */
const maxPageBytes = 4 * 1024 * 1024;
const maxPageMessages = 2000;
/** Texts that are read at once where a whole chat passes through. */
const sliceBytes = 1024 * 1024;
const sliceMessages = 200;

export interface MessagePage {
  readonly messages: readonly ChatMessage[];
  /** Where the page before this one ends; undefined when there is none. */
  readonly earlierCursor: string | undefined;
}

/**
 * The newest messages of a chat, or those before a message, as many as fit. The first page also holds the branch
 * that is looked at, however old it is, from its end back, as much as fits.
 */
export async function readPage(
  store: ConversationStore,
  chat: Chat,
  before: string | undefined,
): Promise<MessagePage> {
  const outline = await store.readOutline(chat.id);
  const until = before === undefined ? outline.length : outline.findIndex(({ id }) => id === before);
  const page = lastThatFit(outline.slice(0, Math.max(0, until)));
  const [first] = page;
  const chosen = new Set(page.map(({ id }) => id));
  if (before === undefined && chat.activeLeafId !== null && !chosen.has(chat.activeLeafId)) {
    for (const { id } of lastThatFit(branchTo(outline, chat.activeLeafId))) chosen.add(id);
  }
  return {
    messages: await store.readMessages(chat.id, [...chosen]),
    earlierCursor: first === undefined || first.id === outline[0]?.id ? undefined : first.id,
  };
}

/** The texts of any number of messages, a little at a time, in the order of the outline. */
export async function* readSlices(
  store: ConversationStore,
  chatId: string,
  outline: readonly MessageOutline[],
): AsyncIterable<readonly ChatMessage[]> {
  let slice: string[] = [];
  let bytes = 0;
  for (const message of outline) {
    if (slice.length > 0 && (bytes + message.bytes > sliceBytes || slice.length === sliceMessages)) {
      yield await store.readMessages(chatId, slice);
      slice = [];
      bytes = 0;
    }
    slice.push(message.id);
    bytes += message.bytes;
  }
  if (slice.length > 0) yield await store.readMessages(chatId, slice);
}

/** The end of a list, as much as one page holds; at least one, however large. */
export function lastThatFit(outline: readonly MessageOutline[]): readonly MessageOutline[] {
  let bytes = 0;
  let first = outline.length;
  while (first > 0 && outline.length - first < maxPageMessages) {
    bytes += outline[first - 1]?.bytes ?? 0;
    if (bytes > maxPageBytes && first < outline.length) break;
    first--;
  }
  return outline.slice(first);
}
