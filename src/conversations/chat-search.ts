import type { ConversationStore, SearchTerms } from '#vocabulary/conversation-store';
import type { ChatDesk } from '#vocabulary/conversations';
import { cutText } from '#vocabulary/cut-text';
import { Refusal } from '#vocabulary/refusal';

const maxTerms = 10;
const maxTermLength = 60;

/** A cursor counts the chats before it: the search begins anew for every page, so that it knows which were shown. */
export function createChatSearch(store: ConversationStore): ChatDesk['search'] {
  return async (personId, { text, cursor, limit }) => {
    const search = readTerms(text);
    const skip = cursor === undefined ? 0 : readCursor(cursor);
    if (search.terms.length === 0) return { results: [], nextCursor: null };
    const found = await store.searchChats(personId, search, { skip, limit: limit + 1 });
    const nextCursor = found.length > limit ? String(skip + limit) : null;
    return { results: found.slice(0, limit), nextCursor };
  };
}

/** Words, and phrases between quotes. Everything else that people type means nothing. */
export function readTerms(text: string): SearchTerms {
  const terms: string[] = [];
  let isLastUnfinished = false;
  for (const [, phrase, word = ''] of text.normalize('NFC').matchAll(/"([^"]*)"|([^\s"]+)/g)) {
    const term = cutText(phrase ?? word, maxTermLength);
    if (!/[\p{L}\p{N}]/u.test(term)) continue;
    if (terms.length === maxTerms) break;
    terms.push(term);
    isLastUnfinished = phrase === undefined;
  }
  return { terms, isLastUnfinished: isLastUnfinished && !/[\s"]$/.test(text) };
}

function readCursor(cursor: string): number {
  if (/^\d{1,6}$/.test(cursor)) return Number(cursor);
  throw new Refusal(
    'invalid_parameter',
    'The cursor is not one that this service gave. Start from the beginning.',
    { param: 'cursor' },
  );
}
