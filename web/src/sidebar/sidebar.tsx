import { Dialog } from '@base-ui/react/dialog';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useService } from '../app/session.tsx';
import { shortcuts } from '../app/shortcuts.ts';
import { useSidebar } from '../app/sidebar-state.tsx';
import { Icon } from '../design/icon.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Mark } from '../design/mark.tsx';
import { useWords } from '../language/language.tsx';
import { ChatList } from './chat-list.tsx';
import { SearchResults } from './search-results.tsx';
import { UserMenu } from './user-menu.tsx';

const SpaceLinks = lazy(async () => ({ default: (await import('../spaces/space-links.tsx')).SpaceLinks }));

/** Beside the page on a desk; a drawer over it on a phone. */
export function Sidebar() {
  const words = useWords();
  const sidebar = useSidebar();
  if (!sidebar.isDrawer) {
    return sidebar.isShown ? (
      <aside
        className="flex h-full w-[17.5rem] shrink-0 flex-col border-e border-hairline bg-sunken"
        aria-label={words.sidebar.label}
      >
        <SidebarContent />
      </aside>
    ) : null;
  }
  return (
    <Dialog.Root open={sidebar.isShown} onOpenChange={(isOpen) => !isOpen && sidebar.hide()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="veil z-30" />
        <Dialog.Popup
          className="sheet fixed inset-y-0 start-0 z-30 flex w-[min(19rem,86vw)] flex-col bg-sunken shadow-float outline-none"
          aria-label={words.sidebar.label}
        >
          <SidebarContent />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function SidebarContent() {
  const words = useWords();
  const sidebar = useSidebar();
  const [, goTo] = useLocation();
  const [searched, setSearch] = useState('');
  const results = useRef<HTMLDivElement>(null);
  /** What to do with the first result: at once, or when it has come, but never with what an unfinished word has found. */
  const wish = useRef<'focus' | 'click'>(undefined);
  const fulfil = () => {
    const found = results.current?.querySelector('[aria-busy=false]');
    if (!found || wish.current === undefined) return;
    found.querySelector('a')?.[wish.current]();
    wish.current = undefined;
  };
  const { isSearchWanted, searchFound, searchField: field } = sidebar;
  useEffect(() => {
    if (!isSearchWanted) return;
    // After the drawer has put the focus where it thinks best.
    const timer = setTimeout(() => {
      field.current?.focus();
      field.current?.select();
      searchFound();
    });
    return () => clearTimeout(timer);
  }, [isSearchWanted, searchFound, field]);
  const isSearching = searched.trim() !== '';
  const service = useService();
  return (
    <>
      <div className="flex h-14 items-center justify-between ps-4 pe-2">
        <Link
          href="/"
          className="flex min-w-0 items-center gap-2 rounded-md text-[1.0625rem] font-[650] tracking-[-0.01em]"
        >
          <Mark size={21} />
          <span className="min-w-0 truncate">{service?.name}</span>
        </Link>
        <IconButton
          icon={sidebar.isDrawer ? 'close' : 'panel'}
          label={words.sidebar.hide}
          shortcut={sidebar.isDrawer ? undefined : shortcuts.toggleSidebar}
          onClick={sidebar.hide}
        />
      </div>
      <nav className="flex flex-col gap-1 px-2" aria-label={words.sidebar.chats}>
        <button
          type="button"
          className="flex h-9 items-center gap-2.5 rounded-lg px-2.5 font-[550] transition-colors duration-150 hover:bg-pressed"
          onClick={() => {
            goTo('/');
            if (sidebar.isDrawer) sidebar.hide();
          }}
        >
          <Icon name="pencil" />
          {words.chat.newChat}
        </button>
        <div className="relative mb-1">
          <span className="pointer-events-none absolute start-2.5 top-2 text-ink-soft">
            <Icon name="search" />
          </span>
          <input
            ref={field}
            type="search"
            value={searched}
            aria-label={words.sidebar.search}
            placeholder={words.sidebar.search}
            dir="auto"
            className="h-9 w-full rounded-lg border border-transparent bg-transparent ps-9.5 pe-9 text-ellipsis transition-colors duration-150 placeholder:text-ink-soft hover:bg-pressed focus:border-edge focus:bg-raised focus-visible:outline-none"
            onChange={(event) => {
              wish.current = undefined;
              setSearch(event.target.value);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Escape') {
                setSearch('');
                event.currentTarget.blur();
              } else if (event.key === 'ArrowDown') wish.current = 'focus';
              else if (event.key === 'Enter') wish.current = 'click';
              else return;
              event.preventDefault();
              fulfil();
            }}
          />
          {searched !== '' && (
            <IconButton
              icon="close"
              size="small"
              label={words.sidebar.clearSearch}
              className="absolute! end-1 top-1"
              onClick={() => {
                setSearch('');
                field.current?.focus();
              }}
            />
          )}
        </div>
      </nav>
      {!isSearching && (
        <Suspense>
          <SpaceLinks />
        </Suspense>
      )}
      <div
        ref={results}
        className="flex min-h-0 flex-1 flex-col"
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isSearching) return;
          event.preventDefault();
          field.current?.focus();
        }}
      >
        {isSearching ? <SearchResults words={searched.trim()} onFound={fulfil} /> : <ChatList />}
      </div>
      <UserMenu />
    </>
  );
}
