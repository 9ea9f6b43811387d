import { createContext, use, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useWords } from '../language/language.tsx';

/** Short sentences at the upper edge, where they cover nothing that is being written: what just happened, and how to take it back. At most three at once. */
interface Notice {
  readonly id: number;
  readonly sentence: string;
  readonly undo: (() => void) | undefined;
  readonly isProblem: boolean;
}

interface Notices {
  readonly tell: (sentence: string, undo?: () => void) => void;
  readonly complain: (sentence: string) => void;
}

const NoticesContext = createContext<Notices | undefined>(undefined);

export function useNotices(): Notices {
  const notices = use(NoticesContext);
  if (notices === undefined) throw new Error('Notices are provided at the root of the page.');
  return notices;
}

export function NoticesProvider({ children }: { readonly children: ReactNode }) {
  const words = useWords();
  const [shown, setShown] = useState<readonly Notice[]>([]);
  const nextId = useRef(1);
  const dismiss = useCallback(
    (id: number) => setShown((now) => now.filter((notice) => notice.id !== id)),
    [],
  );
  const notices = useMemo<Notices>(() => {
    const add = (notice: Omit<Notice, 'id'>) => {
      const id = nextId.current++;
      setShown((now) => [...now.slice(-(maxNotices - 1)), { ...notice, id }]);
      setTimeout(() => dismiss(id), notice.undo === undefined ? 5000 : 10_000);
    };
    return {
      tell: (sentence, undo) => add({ sentence, undo, isProblem: false }),
      complain: (sentence) => add({ sentence, undo: undefined, isProblem: true }),
    };
  }, [dismiss]);

  return (
    <NoticesContext value={notices}>
      {children}
      <div
        role="status"
        aria-live="polite"
        className="pointer-events-none fixed inset-x-0 top-3 z-50 flex flex-col items-center gap-2 px-4"
      >
        {shown.map((notice) => (
          <div
            key={notice.id}
            className="floating pointer-events-auto flex max-w-full items-center gap-3 py-1.5 ps-4 pe-1.5 text-[0.9375rem]"
          >
            <span className={notice.isProblem ? 'text-danger' : undefined}>{notice.sentence}</span>
            {notice.undo !== undefined && (
              <Button
                kind="quiet"
                size="small"
                className="text-accent"
                onClick={() => {
                  notice.undo?.();
                  dismiss(notice.id);
                }}
              >
                {words.general.undo}
              </Button>
            )}
            <IconButton
              icon="close"
              size="small"
              label={words.general.close}
              onClick={() => dismiss(notice.id)}
            />
          </div>
        ))}
      </div>
    </NoticesContext>
  );
}

const maxNotices = 3;
