import { Menu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { usePagesWords } from '../language/pages-words.ts';

/** A menu that is too long to be looked through, with a field that narrows it. */
export function FindInMenu({ children }: { readonly children: (find: ReactNode) => ReactNode }) {
  const { lists, sidebar } = usePagesWords();
  return (
    <Menu.FilterProvider autoHighlight>
      {children(
        <>
          <Menu.Input
            dir="auto"
            className="field mb-1 shrink-0"
            aria-label={lists.find}
            placeholder={lists.find}
          />
          <Menu.Empty className="px-3 py-2 text-ink-soft empty:hidden">{sidebar.found(0)}</Menu.Empty>
        </>,
      )}
    </Menu.FilterProvider>
  );
}
