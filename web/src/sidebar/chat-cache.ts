import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { ChatSummary, ChatWithMessages } from '#contract/chats';
import type { Folder } from '#contract/folders';
import { queryKeys } from '../client/query-keys.ts';

interface ChatPage {
  readonly chats: readonly ChatSummary[];
  readonly nextCursor: string | null;
}

/** Changes what this window knows of a chat. What is being read right now may be older: then it is read again. */
export function changeChat(
  queries: QueryClient,
  chatId: string,
  change: (now: ChatWithMessages | undefined) => ChatWithMessages | undefined,
): void {
  const queryKey = queryKeys.chat(chatId);
  queries.setQueryData<ChatWithMessages>(queryKey, change);
  if (queries.isFetching({ queryKey }) > 0) void queries.invalidateQueries({ queryKey, refetchType: 'all' });
}

/** Puts a new or changed chat where it belongs in the lists of this window, without reading them again. */
export function noteChat(queries: QueryClient, chat: ChatSummary): void {
  changeChat(queries, chat.id, (now) =>
    now === undefined ? now : { ...now, chat: { ...now.chat, ...chat } },
  );
  queries.setQueryData<ChatPage>(queryKeys.pinnedChats, (now) =>
    now === undefined ? now : { ...now, chats: placed(now.chats, chat, chat.isPinned && !chat.isArchived) },
  );
  for (const [queryKey, now] of queries.getQueriesData<ChatPage>({
    queryKey: queryKeys.folderChats('').slice(0, 2),
  })) {
    if (now === undefined) continue;
    const isHere = queryKey[2] === chat.folderId && !chat.isArchived;
    queries.setQueryData<ChatPage>(queryKey, { ...now, chats: placed(now.chats, chat, isHere) });
  }
  changePages(queries, queryKeys.archivedChats, chat, chat.isArchived);
  const isListed = !chat.isPinned && !chat.isArchived && chat.folderId === null;
  changePages(queries, queryKeys.otherChats, chat, isListed);
}

function changePages(
  queries: QueryClient,
  queryKey: readonly string[],
  chat: ChatSummary,
  belongsHere: boolean,
): void {
  queries.setQueryData<InfiniteData<ChatPage>>(queryKey, (now) => {
    if (now === undefined) return now;
    const sizes = now.pages.map((page) => page.chats.length);
    const known = now.pages.flatMap((page) => page.chats);
    // What is older than all that was read comes with the pages that follow.
    const hasMore = now.pages.at(-1)?.nextCursor !== null;
    const isFurtherOn = hasMore && chat.updatedAt < (known.at(-1)?.updatedAt ?? 0);
    return { ...now, pages: cut(placed(known, chat, belongsHere && !isFurtherOn), sizes, now.pages) };
  });
}

export function forgetChat(queries: QueryClient, chatId: string): void {
  const without = (page: ChatPage) => ({ ...page, chats: page.chats.filter(({ id }) => id !== chatId) });
  for (const [queryKey, now] of queries.getQueriesData<ChatPage | InfiniteData<ChatPage>>({
    queryKey: queryKeys.chats,
  })) {
    if (now === undefined) continue;
    if ('pages' in now) queries.setQueryData(queryKey, { ...now, pages: now.pages.map(without) });
    else if ('chats' in now) queries.setQueryData(queryKey, without(now));
  }
}

/** The chats of a folder that is gone are in the list again. */
export function noteFolders(queries: QueryClient, folders: readonly Folder[]): void {
  const before = queries.getQueryData<{ readonly folders: readonly Folder[] }>(queryKeys.folders)?.folders;
  queries.setQueryData(queryKeys.folders, { folders });
  if (before?.some(({ id }) => !folders.some((folder) => folder.id === id)) === true)
    void queries.invalidateQueries({ queryKey: queryKeys.otherChats });
}

/** Newest first. A chat that has not moved keeps its row. Exported for its test. */
export function placed(
  chats: readonly ChatSummary[],
  chat: ChatSummary,
  belongsHere: boolean,
): ChatSummary[] {
  const others = chats.filter(({ id }) => id !== chat.id);
  if (!belongsHere) return others;
  const index = others.findIndex(({ updatedAt }) => updatedAt <= chat.updatedAt);
  return others.toSpliced(index < 0 ? others.length : index, 0, chat);
}

function cut(all: readonly ChatSummary[], sizes: readonly number[], pages: readonly ChatPage[]): ChatPage[] {
  let from = 0;
  return pages.map((page, index) => {
    const isLast = index === pages.length - 1;
    const to = isLast ? all.length : from + (sizes[index] ?? 0);
    const chats = all.slice(from, to);
    from = to;
    return { ...page, chats };
  });
}
