import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ChatSummary } from '#contract/chats';
import type { Folder } from '#contract/folders';
import { useClient } from '../client/client-context.tsx';
import type { Client } from '../client/client.ts';
import { queryKeys } from '../client/query-keys.ts';
import { useFolders } from '../keeping/use-folders.ts';

export interface OpenableFolder extends Folder {
  readonly isOpen: boolean;
  /** Undefined while it is closed, or still being read. */
  readonly chats: readonly ChatSummary[] | undefined;
}

interface Chats {
  readonly pinned: readonly ChatSummary[];
  readonly others: readonly ChatSummary[];
  readonly folders: readonly OpenableFolder[];
  readonly isLoading: boolean;
  readonly failure: unknown;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

/** Pages of chats, newest first; further pages come as somebody scrolls there. */
export function useChats(openFolders: ReadonlySet<string>): Chats {
  const client = useClient();
  const folders = useFolders();
  const folderChats = useQueries({
    queries: folders.map(({ id }) => ({
      queryKey: queryKeys.folderChats(id),
      queryFn: () => readFolder(client, id),
      enabled: openFolders.has(id),
    })),
    combine: chatsOfEach,
  });
  const pinned = useQuery({
    queryKey: queryKeys.pinnedChats,
    queryFn: () => client.call('GET /console/chats', { query: { pinned: 'only', limit: pageSize } }),
  });
  const others = useInfiniteQuery({
    queryKey: queryKeys.otherChats,
    queryFn: ({ pageParam }) =>
      client.call('GET /console/chats', {
        query: { pinned: 'without', folder: 'none', limit: pageSize, cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: chatsOfAll,
  });
  const openable = useMemo(
    () =>
      folders.map((folder, index) => ({
        ...folder,
        isOpen: openFolders.has(folder.id),
        chats: openFolders.has(folder.id) ? folderChats[index] : undefined,
      })),
    [folders, openFolders, folderChats],
  );
  return {
    pinned: pinned.data?.chats ?? none,
    others: others.data ?? none,
    folders: openable,
    isLoading: others.isPending,
    failure: others.error,
    hasMore: others.hasNextPage,
    loadMore: () => {
      if (others.hasNextPage && !others.isFetchingNextPage) void others.fetchNextPage();
    },
  };
}

interface Page {
  readonly chats: readonly ChatSummary[];
}

// The same lists as long as nothing in them has changed: whoever scrolls among thousands makes no new ones.
const chatsOfAll = ({ pages }: { readonly pages: readonly Page[] }) => pages.flatMap(({ chats }) => chats);
const chatsOfEach = (folders: readonly { readonly data: Page | undefined }[]) =>
  folders.map(({ data }) => data?.chats);
const none: readonly ChatSummary[] = [];
const pageSize = 200;

/** All of it: a folder is read to its end, or to where nobody scrolls any more. */
async function readFolder(client: Client, folder: string) {
  const chats: ChatSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call('GET /console/chats', { query: { folder, limit: pageSize, cursor } });
    chats.push(...page.chats);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && chats.length < maxInFolder);
  return { chats, nextCursor: null };
}

const maxInFolder = 2000;
