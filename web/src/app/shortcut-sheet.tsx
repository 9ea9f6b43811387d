import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import { Dialog } from '../design/dialog.tsx';
import { Keys } from '../design/keys.tsx';
import { useWords } from '../language/language.tsx';
import { shortcuts, useShortcut } from './shortcuts.ts';

interface ShortcutSheet {
  readonly open: () => void;
}

const SheetContext = createContext<ShortcutSheet | undefined>(undefined);

export function useShortcutSheet(): ShortcutSheet {
  const sheet = use(SheetContext);
  if (sheet === undefined) throw new Error('The shortcut sheet is part of the signed-in app.');
  return sheet;
}

/** All shortcuts on one sheet, on `?`. */
export function ShortcutSheetProvider({ children }: { readonly children: ReactNode }) {
  const words = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const sheet = useMemo(() => ({ open: () => setIsOpen(true) }), []);
  useShortcut(shortcuts.showShortcuts, () => setIsOpen(true));
  const rows: [string, readonly string[]][] = [
    [words.shortcuts.newChat, [shortcuts.newChat]],
    [words.shortcuts.palette, [shortcuts.palette]],
    [words.shortcuts.search, [shortcuts.search]],
    [words.shortcuts.focusComposer, [shortcuts.focusComposer, shortcuts.focusComposerBySlash]],
    [words.shortcuts.switchModel, [shortcuts.switchModel]],
    [words.shortcuts.copyLast, [shortcuts.copyLast]],
    [words.shortcuts.stop, [shortcuts.stop]],
    [words.keeping.archiveThis, [shortcuts.archive]],
    [words.shortcuts.toggleSidebar, [shortcuts.toggleSidebar]],
    [words.shortcuts.showShortcuts, [shortcuts.showShortcuts]],
  ];
  return (
    <SheetContext value={sheet}>
      {children}
      <Dialog isOpen={isOpen} close={() => setIsOpen(false)} title={words.shortcuts.title}>
        <dl>
          {rows.map(([name, combinations]) => (
            <div
              key={name}
              className="flex items-center justify-between border-b border-hairline py-2 last:border-0"
            >
              <dt>{name}</dt>
              <dd className="flex items-center gap-2">
                {combinations.map((combination) => (
                  <Keys key={combination} combination={combination} />
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </SheetContext>
  );
}
