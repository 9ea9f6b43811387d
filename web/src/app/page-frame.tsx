import type { ReactNode } from 'react';
import { IconButton } from '../design/icon-button.tsx';
import { useWords } from '../language/language.tsx';
import { shortcuts } from './shortcuts.ts';
import { useSidebar } from './sidebar-state.tsx';
import { usePageTitle } from './use-page-title.ts';

interface PageFrameProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A page that is not a chat: one column, a title, a line that says what it is for. */
export function PageFrame({ title, lead, actions, isWide = false, children }: PageFrameProps) {
  const words = useWords();
  const sidebar = useSidebar();
  usePageTitle(title);
  return (
    <>
      {!sidebar.isShown && (
        <div className="flex h-14 shrink-0 items-center px-3">
          <IconButton
            icon="panel"
            label={words.sidebar.show}
            shortcut={shortcuts.toggleSidebar}
            onClick={sidebar.toggle}
          />
        </div>
      )}
      <main className="min-h-0 flex-1 overflow-y-auto outline-none" tabIndex={-1}>
        <div
          className={`mx-auto w-full px-5 pb-20 sm:px-8 ${sidebar.isShown ? 'pt-12' : 'pt-2'} ${isWide ? 'max-w-5xl' : 'max-w-3xl'}`}
        >
          <div className="flex flex-wrap items-start justify-between gap-4">
            <h1 className="text-[1.625rem] leading-tight font-[650] tracking-[-0.012em]">{title}</h1>
            {actions}
          </div>
          {lead !== undefined && <p className="mt-2 max-w-prose text-ink-soft">{lead}</p>}
          <div className="mt-8">{children}</div>
        </div>
      </main>
    </>
  );
}
