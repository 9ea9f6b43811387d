import type { ArchivedChat } from '#contract/archive';

/** Well within what the service takes at once. */
const maxCharacters = 6_000_000;
const maxMessages = 4000;
const maxChats = 500;

/** Pieces that can be sent one after the other; a chat stays whole. */
export function* inBatches(chats: readonly ArchivedChat[]): Generator<readonly ArchivedChat[]> {
  let batch: ArchivedChat[] = [];
  let characters = 0;
  let messages = 0;
  for (const chat of chats) {
    const length = lengthOf(chat);
    const count = Array.isArray(chat.messages) ? chat.messages.length : 0;
    const isFull =
      characters + length > maxCharacters || messages + count > maxMessages || batch.length >= maxChats;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      characters = 0;
      messages = 0;
    }
    batch.push(chat);
    characters += length;
    messages += count;
  }
  if (batch.length > 0) yield batch;
}

/** Roughly, and without copying it: texts are nearly all of it. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 6;
  return Object.entries(value).reduce((sum, [key, inside]) => sum + key.length + 4 + lengthOf(inside), 2);
}
