import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ChatSummary } from '#contract/chats';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';

interface Chats {
  readonly pinned: readonly ChatSummary[];
  readonly others: readonly ChatSummary[];
  readonly isLoading: boolean;
  readonly failure: unknown;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

/** Pages of chats, newest first; further pages come as somebody scrolls there. */
export function useChats(): Chats {
  const client = useClient();
  const pinned = useQuery({
    queryKey: queryKeys.pinnedChats,
    queryFn: () => client.call('GET /console/chats', { query: { pinned: 'only', limit: pageSize } }),
  });
  const others = useInfiniteQuery({
    queryKey: queryKeys.otherChats,
    queryFn: ({ pageParam }) =>
      client.call('GET /console/chats', { query: { pinned: 'without', limit: pageSize, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  return {
    pinned: pinned.data?.chats ?? none,
    others: others.data?.pages.flatMap((page) => page.chats) ?? none,
    isLoading: others.isPending,
    failure: others.error,
    hasMore: others.hasNextPage,
    loadMore: () => {
      if (others.hasNextPage && !others.isFetchingNextPage) void others.fetchNextPage();
    },
  };
}

const none: readonly ChatSummary[] = [];
const pageSize = 200;
