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
  /** `reading` for lines of text, `wide` for forms beside a navigation, `table` for what needs room. */
  readonly width?: keyof typeof widths;
  /** A navigation of its own beside the page; above it on a phone. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

const widths = { reading: 'max-w-3xl', wide: 'max-w-5xl', table: 'max-w-7xl' } as const;

/** A page that is not a chat: one column, a title, a line that says what it is for. */
export function PageFrame({ title, lead, actions, width = 'reading', aside, children }: PageFrameProps) {
  const words = useWords();
  const sidebar = useSidebar();
  usePageTitle(title);
  const column = (
    <>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 flex-1 basis-80">
          <h1 dir="auto" className="text-match text-[1.625rem] leading-tight font-[650] tracking-[-0.012em]">
            {title}
          </h1>
          {lead !== undefined && <p className="mt-2 max-w-prose text-pretty text-ink-soft">{lead}</p>}
        </div>
        {actions}
      </div>
      <div className="mt-8">{children}</div>
    </>
  );
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
          className={`mx-auto w-full px-5 pb-20 sm:px-8 ${sidebar.isShown ? 'pt-12' : 'pt-2'} ${widths[width]}`}
        >
          {aside === undefined ? (
            column
          ) : (
            <div className="flex flex-col gap-6 lg:flex-row lg:gap-12">
              <div className="min-w-0 shrink-0 lg:w-44">{aside}</div>
              <div className="min-w-0 flex-1">{column}</div>
            </div>
          )}
        </div>
      </main>
    </>
  );
}
