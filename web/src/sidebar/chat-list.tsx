import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import type { ChatSummary } from '#contract/chats';
import { failureSentence } from '../app/failure-sentence.ts';
import { useSidebar } from '../app/sidebar-state.tsx';
import { ChatMenu } from '../chat/chat-menu.tsx';
import { useIsAnswering } from '../chat/live-answers-context.tsx';
import { classes } from '../design/classes.ts';
import { useWords } from '../language/language.tsx';
import { ageOf } from './chat-ages.ts';
import { useChats } from './use-chats.ts';

type Row =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'chat'; readonly chat: ChatSummary };

/** Pins first, then chats by age. Only the rows in view are drawn. */
export function ChatList() {
  const words = useWords();
  const { pinned, others, isLoading, failure, hasMore, loadMore } = useChats();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => toRows(pinned, others, words.sidebar), [pinned, others, words]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'heading' ? headingHeight : chatHeight),
    getItemKey: (index) => rowKey(rows[index], index),
    overscan: 12,
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastIndex >= rows.length - 30) loadMore();
  }, [hasMore, lastIndex, rows.length, loadMore]);

  if (isLoading) return <ChatListSkeleton />;
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-2 pb-2" data-testid="chat-list">
      {failure !== null && (
        <p className="px-2.5 py-3 text-[0.9375rem] text-ink-soft">{failureSentence(failure, words)}</p>
      )}
      {failure === null && rows.length === 0 && (
        <p className="px-2.5 py-3 text-[0.9375rem] text-ink-soft">{words.sidebar.empty}</p>
      )}
      <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <li
              key={item.key}
              className="absolute inset-x-0 top-0"
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              aria-setsize={hasMore ? -1 : rows.length}
              aria-posinset={item.index + 1}
            >
              {row.kind === 'heading' ? (
                <h2 className="px-2.5 pt-4 text-[0.8125rem] font-[550] text-ink-faint">{row.text}</h2>
              ) : (
                <ChatRow chat={row.chat} />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function ChatRow({ chat }: { readonly chat: ChatSummary }) {
  const words = useWords();
  const sidebar = useSidebar();
  const [location] = useLocation();
  const isCurrent = location === `/chat/${chat.id}`;
  const isAnswering = useIsAnswering(chat.id);
  return (
    <div className="group/row relative">
      <Link
        href={`/chat/${chat.id}`}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={() => sidebar.isDrawer && sidebar.hide()}
        className={classes(
          'flex h-9 items-center gap-2 rounded-lg ps-2.5 pe-2.5 text-[0.9375rem] transition-colors duration-150 group-focus-within/row:pe-9 group-hover/row:bg-pressed group-hover/row:pe-9 pointer-coarse:pe-9',
          isCurrent && 'bg-pressed font-[550]',
        )}
      >
        {isAnswering && (
          <span
            className="breathing size-1.5 shrink-0 rounded-full bg-accent"
            role="img"
            aria-label={words.sidebar.answering}
          />
        )}
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {chat.title}
        </span>
      </Link>
      <ChatMenu
        chatId={chat.id}
        title={chat.title}
        isPinned={chat.isPinned}
        className="absolute! top-1 right-1 opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100"
      />
    </div>
  );
}

function ChatListSkeleton() {
  const words = useWords();
  return (
    <div className="flex flex-1 flex-col gap-3 px-4 pt-6" role="status">
      <span className="sr-only">{words.general.loading}</span>
      {skeletonWidths.map((width) => (
        <div key={width} className={`skeleton h-4 ${width}`} />
      ))}
    </div>
  );
}

const skeletonWidths = ['w-4/5', 'w-3/5', 'w-2/3', 'w-1/2', 'w-3/4'];
const headingHeight = 40;
const chatHeight = 36;

function toRows(
  pinned: readonly ChatSummary[],
  others: readonly ChatSummary[],
  names: ReturnType<typeof useWords>['sidebar'],
): Row[] {
  const rows: Row[] = [];
  if (pinned.length > 0) rows.push({ kind: 'heading', text: names.pinned });
  for (const chat of pinned) rows.push({ kind: 'chat', chat });
  const now = new Date();
  let lastAge: string | undefined;
  for (const chat of others) {
    const age = names.ages[ageOf(chat.updatedAt, now)];
    if (age !== lastAge) rows.push({ kind: 'heading', text: age });
    lastAge = age;
    rows.push({ kind: 'chat', chat });
  }
  return rows;
}

function rowKey(row: Row | undefined, index: number): string | number {
  if (row === undefined) return index;
  return row.kind === 'heading' ? `heading ${row.text}` : row.chat.id;
}
