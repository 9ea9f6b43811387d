import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ChatSummary } from '#contract/chats';
import { PageFrame } from '../app/page-frame.tsx';
import { ChatMenu } from '../chat/chat-menu.tsx';
import { useChatActions } from '../chat/use-chat-actions.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { Moment } from '../design/moment.tsx';
import { useFoldersWords } from '../language/folders-words.ts';
import { useWords } from '../language/language.tsx';

/** Where chats are that somebody put away. */
export function ArchivedPage() {
  const words = useWords();
  const folderWords = useFoldersWords();
  const client = useClient();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: queryKeys.archivedChats,
    queryFn: ({ pageParam }) =>
      client.call('GET /console/chats', { query: { archived: 'only', limit: 100, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const chats = data?.pages.flatMap((page) => page.chats);
  return (
    <PageFrame title={words.keeping.archivedChats} lead={folderWords.archiveLead}>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {chats?.length === 0 && (
        <p className="rounded-xl border border-dashed border-edge px-6 py-8 text-ink-soft">
          {folderWords.archiveEmpty}
        </p>
      )}
      <ul>
        {chats?.map((chat) => (
          <ArchivedRow key={chat.id} chat={chat} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          kind="quiet"
          className="mt-3 w-full"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {words.general.more}
        </Button>
      )}
    </PageFrame>
  );
}

function ArchivedRow({ chat }: { readonly chat: ChatSummary }) {
  const words = useWords();
  const folderWords = useFoldersWords();
  const { bringBack } = useChatActions();
  return (
    <li className="flex items-center justify-between gap-4 border-t border-hairline py-3.5 first:border-0">
      <div className="min-w-0">
        <Link href={`/chat/${chat.id}`} dir="auto" className="block truncate font-[550] hover:underline">
          {chat.title}
        </Link>
        <p className="text-[0.9375rem] text-ink-soft">
          {folderWords.lastMessage} <Moment at={chat.updatedAt} />
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-1">
        <Button size="small" onClick={() => void bringBack(chat.id)}>
          {words.keeping.bringBack}
        </Button>
        <ChatMenu chat={chat} />
      </div>
    </li>
  );
}
