import { useVirtualizer } from '@tanstack/react-virtual';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { failureSentence } from '../app/failure-sentence.ts';
import { useWords } from '../language/language.tsx';
import { ChatRow } from './chat-row.tsx';
import { heightOf, keyOf, type ListRow, toRows } from './list-rows.ts';
import { useChats } from './use-chats.ts';
import { useDraggedChat } from './use-dragged-chat.ts';
import { toggleFolder, useOpenFolders } from './use-open-folders.ts';

const loadFolderRow = () => import('../keeping/folder-row.tsx');
const FolderRow = lazy(async () => ({ default: (await loadFolderRow()).FolderRow }));
const FoldersHeading = lazy(async () => ({ default: (await loadFolderRow()).FoldersHeading }));

/** Pins first, then folders, then the other chats by age. Only the rows in view are drawn. */
export function ChatList() {
  const words = useWords();
  const openFolders = useOpenFolders();
  const { pinned, folders, others, isLoading, failure, hasMore, loadMore } = useChats(openFolders);
  const scroller = useRef<HTMLDivElement>(null);
  const dragged = useDraggedChat(folders.length > 0);
  const [areAllShown, setAreAllShown] = useState(false);
  const rows = useMemo(
    () => toRows({ pinned, folders, others }, words, areAllShown),
    [pinned, folders, others, words, areAllShown],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    getItemKey: (index) => keyOf(rows[index], index),
    overscan: 12,
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastIndex >= rows.length - 30) loadMore();
  }, [hasMore, lastIndex, rows.length, loadMore]);

  const draw = (row: ListRow) => {
    switch (row.kind) {
      case 'heading':
        return <h2 className="px-2.5 pt-4 text-[0.8125rem] font-[550] text-ink-faint">{row.text}</h2>;
      case 'folders':
        return <FoldersHeading />;
      case 'folder':
        return (
          <FolderRow
            folder={row.folder}
            isOpen={openFolders.has(row.folder.id)}
            isTarget={dragged.target === row.folder.id}
            toggle={() => toggleFolder(row.folder.id)}
          />
        );
      case 'more':
        return (
          <button
            type="button"
            className="flex h-9 w-full items-center rounded-lg ps-8 text-[0.9375rem] text-ink-soft transition-colors duration-150 hover:bg-pressed"
            onClick={() => setAreAllShown(true)}
          >
            {words.announcements.more(row.count)}
          </button>
        );
      case 'empty':
        return <p className="ps-8 pt-1.5 text-[0.9375rem] text-ink-faint">{words.keeping.emptyFolder}</p>;
      case 'chat':
        return <ChatRow chat={row.chat} isInFolder={row.place === 'folder'} />;
    }
  };

  if (isLoading) return <ChatListSkeleton />;
  return (
    <div
      ref={scroller}
      className="min-h-0 flex-1 overflow-y-auto px-2 pb-2"
      data-testid="chat-list"
      {...dragged.handlers}
    >
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
              data-folder={row.folderId}
            >
              <Suspense>{draw(row)}</Suspense>
            </li>
          );
        })}
      </ul>
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
