import type { ConversationStore, SearchTerms } from '#vocabulary/conversation-store';
import type { ChatDesk, SearchResult, Snippet } from '#vocabulary/conversations';
import { Refusal } from '#vocabulary/refusal';
import { createHighlighter } from './highlighter.ts';

const maxTerms = 10;
const maxTermLength = 60;

/** Titles first, then messages from the newest back; one result per chat and page. */
export function createChatSearch(store: ConversationStore): ChatDesk['search'] {
  return async (personId, { text, cursor, limit }) => {
    const search = readTerms(text);
    if (search.terms.length === 0) return { results: [], nextCursor: null };
    const before = cursor === undefined ? undefined : readCursor(cursor);
    const highlight = createHighlighter(search);
    const results = new Map<string, SearchResult>();

    if (before === undefined) {
      for (const chat of await store.searchTitles(personId, search, limit)) {
        results.set(chat.id, {
          chat,
          messageId: null,
          title: highlight(chat.title, chat.title.length),
          snippet: [],
        });
      }
    }
    const hits = await store.searchMessages(personId, search, limit, before);
    for (const { chat, messageId, content } of hits) {
      const known = results.get(chat.id);
      if (known !== undefined && known.messageId !== null) continue;
      const title: Snippet = known?.title ?? [{ text: chat.title, isMatch: false }];
      results.set(chat.id, { chat, messageId, title, snippet: highlight(content, 160) });
    }
    const last = hits.at(-1);
    const nextCursor = hits.length < limit || last === undefined ? null : String(last.position);
    return { results: [...results.values()], nextCursor };
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
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new Refusal(
    'invalid_parameter',
    'The cursor is not one that this service gave. Start from the beginning.',
    {
      param: 'cursor',
    },
  );
}
