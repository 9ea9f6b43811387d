import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState, type KeyboardEvent } from 'react';
import { Link } from 'wouter';
import type { SearchResult } from '#contract/chats';
import { failureSentence } from '../app/failure-sentence.ts';
import { useSidebar } from '../app/sidebar-state.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { useWords } from '../language/language.tsx';
import { Marked } from './marked.tsx';

interface SearchResultsProps {
  readonly words: string;
  /** When what is shown is what was searched for. */
  readonly onFound: () => void;
}

/** Titles and messages that hold the words, as one types. */
export function SearchResults({ words: searched, onFound }: SearchResultsProps) {
  const words = useWords();
  const client = useClient();
  const settled = useSettled(searched);
  const { data, error, isPending, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: queryKeys.search(settled),
      queryFn: ({ pageParam }) =>
        client.call('GET /console/chats/search', { query: { q: settled, limit: 50, cursor: pageParam } }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    });
  const results = eachChatOnce(data?.pages.flatMap((page) => page.results) ?? []);
  const isBusy = isPending || isPlaceholderData || settled !== searched;
  useEffect(() => {
    if (!isBusy) onFound();
  });
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-2" aria-busy={isBusy}>
      <p role="status" className="px-2.5 pt-3 pb-1 text-[0.8125rem] font-[550] text-ink-faint">
        {error === null
          ? isPending
            ? words.general.loading
            : hasNextPage
              ? words.sidebar.foundFirst(results.length)
              : words.sidebar.found(results.length)
          : failureSentence(error, words)}
      </p>
      <ul onKeyDown={moveByArrows}>
        {results.map((result) => (
          <li key={result.chat.id}>
            <Result result={result} words={searched} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button
          kind="quiet"
          size="small"
          className="mt-1 w-full"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {words.general.more}
        </Button>
      )}
    </div>
  );
}

/** A chat that moved up while somebody reads may come a second time. */
function eachChatOnce(results: readonly SearchResult[]): readonly SearchResult[] {
  return [...new Map(results.map((result) => [result.chat.id, result])).values()];
}

interface ResultProps {
  readonly result: SearchResult;
  readonly words: string;
}

/** Leads to the message that holds the words, not only to its chat. */
function Result({ result, words }: ResultProps) {
  const sidebar = useSidebar();
  const { isArchived } = useWords().keeping;
  const place =
    result.messageId === null
      ? ''
      : `?${new URLSearchParams({ message: result.messageId, words }).toString()}`;
  return (
    <Link
      href={`/chat/${result.chat.id}${place}`}
      onClick={() => sidebar.isDrawer && sidebar.hide()}
      className="block rounded-lg px-2.5 py-1.5 transition-colors duration-150 hover:bg-pressed focus-visible:bg-pressed focus-visible:-outline-offset-2"
    >
      <span dir="auto" className="block truncate text-[0.9375rem] font-[550]">
        <Marked
          pieces={result.title.length === 0 ? [{ text: result.chat.title, isMatch: false }] : result.title}
        />
      </span>
      {result.chat.isArchived && <span className="block text-[0.8125rem] text-ink-faint">{isArchived}</span>}
      {result.messageId !== null && (
        <span dir="auto" className="line-clamp-2 text-sm text-ink-soft">
          <Marked pieces={result.snippet} />
        </span>
      )}
    </Link>
  );
}

/** The value once typing has paused. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 150);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Up and down move among the results, and from the first one back to the field. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  const at = links.findIndex((link) => link === document.activeElement);
  event.preventDefault();
  if (at === 0 && event.key === 'ArrowUp') document.querySelector<HTMLElement>('input[type=search]')?.focus();
  else links[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}
