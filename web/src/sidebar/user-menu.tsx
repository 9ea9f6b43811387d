import { Menu } from '@base-ui/react/menu';
import { useLocation } from 'wouter';
import { useSession } from '../app/session.tsx';
import { useShortcutSheet } from '../app/shortcut-sheet.tsx';
import { useSignOut } from '../app/use-sign-out.ts';
import { Icon } from '../design/icon.tsx';
import { MenuEntry, MenuLine, MenuPlate } from '../design/menu.tsx';
import { useWords } from '../language/language.tsx';

/** At the lower left, where the handbook says it is. */
export function UserMenu() {
  const words = useWords();
  const { person, capabilities } = useSession();
  const [, goTo] = useLocation();
  const signOut = useSignOut();
  const sheet = useShortcutSheet();
  return (
    <div className="border-t border-hairline p-2">
      <Menu.Root>
        <Menu.Trigger className="flex w-full items-center gap-2.5 rounded-lg px-2 py-1.5 text-start transition-colors duration-150 hover:bg-pressed data-popup-open:bg-pressed">
          <span className="sr-only">{words.userMenu.label}</span>
          <span
            className="grid size-8 shrink-0 place-items-center rounded-full bg-accent text-sm font-[650] text-on-accent"
            aria-hidden="true"
          >
            {initials(person.name)}
          </span>
          <span className="min-w-0 flex-1 leading-tight">
            <span className="block truncate text-[0.9375rem] font-[550]">{person.name}</span>
            <span dir="auto" className="block truncate text-[0.8125rem] text-ink-soft">
              {person.email}
            </span>
          </span>
          <span className="text-ink-faint">
            <Icon name="chevronDown" size={15} />
          </span>
        </Menu.Trigger>
        <MenuPlate side="top" className="w-[16.5rem]">
          <MenuEntry icon="archive" onClick={() => goTo('/archived')}>
            {words.keeping.archivedChats}
          </MenuEntry>
          <MenuEntry icon="gear" onClick={() => goTo('/settings')}>
            {words.userMenu.settings}
          </MenuEntry>
          <MenuEntry icon="plug" onClick={() => goTo('/connect')}>
            {words.userMenu.connect}
          </MenuEntry>
          <MenuEntry icon="chart" onClick={() => goTo('/usage')}>
            {words.userMenu.usage}
          </MenuEntry>
          <MenuEntry icon="info" onClick={() => goTo('/status')}>
            {words.userMenu.status}
          </MenuEntry>
          {capabilities.mayAdminister && (
            <MenuEntry icon="shield" onClick={() => goTo('/administration')}>
              {words.userMenu.administration}
            </MenuEntry>
          )}
          <MenuEntry icon="keyboard" onClick={sheet.open}>
            {words.userMenu.shortcuts}
          </MenuEntry>
          <MenuLine />
          <MenuEntry icon="signOut" onClick={() => void signOut('here')}>
            {words.userMenu.signOut}
          </MenuEntry>
        </MenuPlate>
      </Menu.Root>
    </div>
  );
}

function initials(name: string): string {
  const parts = name.trim().split(/\s+/);
  const last = parts.length > 1 ? firstLetter(parts.at(-1)) : '';
  return (firstLetter(parts[0]) + last).toUpperCase();
}

function firstLetter(word: string | undefined): string {
  const [first] = new Intl.Segmenter().segment(word ?? '');
  return first?.segment ?? '?';
}
