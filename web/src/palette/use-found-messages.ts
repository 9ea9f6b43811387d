import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { SearchResult } from '#contract/chats';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { useWords } from '../language/language.tsx';
import type { PaletteEntry } from './entry.ts';

const wanted = 20;

/** Chats and messages that the service finds; a message opens where it stands, with the words marked. */
export function useFoundMessages(text: string): {
  readonly found: readonly PaletteEntry[];
  readonly isLooking: boolean;
} {
  const words = useWords();
  const client = useClient();
  const [, goTo] = useLocation();
  const settled = useSettled(text);
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['palette', ...queryKeys.search(settled)],
    queryFn: () => client.call('GET /console/chats/search', { query: { q: settled, limit: wanted } }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  const results = settled === '' || text === '' ? [] : (data?.results ?? []);
  return {
    found: results.map(toEntry),
    isLooking: text !== '' && (settled !== text || isFetching || isPlaceholderData),
  };

  function toEntry({ chat, messageId, snippet }: SearchResult): PaletteEntry {
    const place =
      messageId === null ? '' : `?${new URLSearchParams({ message: messageId, words: settled }).toString()}`;
    return {
      id: `message ${chat.id}`,
      icon: chat.isArchived ? 'archive' : messageId === null ? 'chat' : 'quote',
      label: chat.title,
      snippet: messageId === null ? undefined : snippet,
      note: chat.isArchived ? words.keeping.isArchived : undefined,
      run: () => goTo(`/chat/${chat.id}${place}`),
    };
  }
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
