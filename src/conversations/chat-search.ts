import type { ConversationStore, SearchTerms } from '#vocabulary/conversation-store';
import type { Snippet } from '#contract/chats';
import type { ChatDesk, FoundChat } from '#vocabulary/conversations';
import { Refusal } from '#vocabulary/refusal';
import { createHighlighter } from './highlighter.ts';

const maxTerms = 10;
const maxTermLength = 60;

/** A search looks at no more messages than this, however often its words occur. */
const maxHits = 4000;
const hitsAtOnce = 200;

/**
 * Titles first, then messages from the newest back; each chat once, however many of its messages match. A cursor
 * counts the chats before it: the search begins anew for every page, so that it knows which were shown.
 */
export function createChatSearch(store: ConversationStore): ChatDesk['search'] {
  return async (personId, { text, cursor, limit }) => {
    const search = readTerms(text);
    const skipped = cursor === undefined ? 0 : readCursor(cursor);
    if (search.terms.length === 0) return { results: [], nextCursor: null };
    const wanted = skipped + limit;
    const highlight = createHighlighter(search);
    const found = new Map<string, FoundChat>();

    for (const chat of await store.searchTitles(personId, search, wanted + 1)) {
      const title = highlight(chat.title, chat.title.length);
      found.set(chat.id, { chat, messageId: null, title, snippet: [] });
    }
    let before: number | undefined;
    for (let seen = 0; seen < maxHits && found.size <= wanted; seen += hitsAtOnce) {
      const hits = await store.searchMessages(personId, search, hitsAtOnce, before);
      for (const { chat, messageId, content } of hits) {
        const known = found.get(chat.id);
        if (known !== undefined && known.messageId !== null) continue;
        const title: Snippet = known?.title ?? [{ text: chat.title, isMatch: false }];
        found.set(chat.id, { chat, messageId, title, snippet: highlight(content, 160) });
      }
      if (hits.length < hitsAtOnce) break;
      before = hits.at(-1)?.position;
    }
    const results = [...found.values()].slice(skipped, wanted);
    return { results, nextCursor: found.size > wanted ? String(wanted) : null };
  };
}

/** Words, and phrases between quotes. Everything else that people type means nothing. */
export function readTerms(text: string): SearchTerms {
  const terms: string[] = [];
  let isLastUnfinished = false;
  for (const [, phrase, word = ''] of text.normalize('NFC').matchAll(/"([^"]*)"|([^\s"]+)/g)) {
    const term = (phrase ?? word).slice(0, maxTermLength);
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
    {
      param: 'cursor',
    },
  );
}
