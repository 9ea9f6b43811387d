import { useLocation } from 'wouter';
import { useChatAtHand } from '../app/chat-at-hand.ts';
import { useShortcutSheet } from '../app/shortcut-sheet.tsx';
import { shortcuts } from '../app/shortcuts.ts';
import { useSession } from '../app/session.tsx';
import { useSidebar } from '../app/sidebar-state.tsx';
import { applyTheme } from '../app/theme.ts';
import { useSignOut } from '../app/use-sign-out.ts';
import { useChatActions } from '../chat/use-chat-actions.ts';
import { useWords } from '../language/language.tsx';
import { usePaletteWords } from '../language/palette-words.ts';
import { usePreferences } from '../settings/use-preferences.ts';
import type { PaletteEntry } from './entry.ts';

/** What can be done from anywhere, and with the chat at hand. */
export function useActions(newFolder: () => void): readonly PaletteEntry[] {
  const words = useWords();
  const own = usePaletteWords();
  const [, goTo] = useLocation();
  const { conversation } = useChatAtHand().current;
  const chat = useChatActions();
  const sheet = useShortcutSheet();
  const sidebar = useSidebar();
  const signOut = useSignOut();
  const { capabilities } = useSession();
  const { change } = usePreferences();
  const theme = (name: 'light' | 'dark' | 'system'): PaletteEntry => ({
    id: name,
    icon: 'theme',
    label: own[name],
    run: () => {
      applyTheme(name);
      void change({ theme: name });
    },
  });
  const go = (id: string, icon: PaletteEntry['icon'], label: string, path: string): PaletteEntry => ({
    id,
    icon,
    label,
    run: () => goTo(path),
  });
  const chatId = conversation?.isArchived === false ? conversation.chatId : null;
  return [
    { ...go('new', 'pencil', own.newChat, '/'), shortcut: shortcuts.newChat },
    ...(chatId === null
      ? []
      : [
          {
            id: 'archive',
            icon: 'archive' as const,
            label: words.keeping.archiveThis,
            shortcut: shortcuts.archive,
            run: () => {
              goTo('/');
              void chat.archive(chatId);
            },
          },
        ]),
    go('temporary', 'veil', own.temporary, '/temporary'),
    go('compare', 'columns', own.compare, '/compare'),
    { id: 'folder', icon: 'folder', label: own.newFolder, run: newFolder },
    go('archived', 'archive', words.keeping.archivedChats, '/archived'),
    {
      id: 'sidebar',
      icon: 'panel',
      label: words.shortcuts.toggleSidebar,
      shortcut: shortcuts.toggleSidebar,
      run: sidebar.toggle,
    },
    theme('light'),
    theme('dark'),
    theme('system'),
    {
      id: 'shortcuts',
      icon: 'keyboard',
      label: words.userMenu.shortcuts,
      shortcut: shortcuts.showShortcuts,
      run: sheet.open,
    },
    go('connect', 'plug', words.userMenu.connect, '/connect'),
    go('usage', 'chart', words.userMenu.usage, '/usage'),
    go('status', 'info', words.userMenu.status, '/status'),
    ...(capabilities.mayAdminister
      ? [go('administration', 'shield', words.userMenu.administration, '/administration')]
      : []),
    { id: 'sign-out', icon: 'signOut', label: words.userMenu.signOut, run: () => void signOut('here') },
  ];
}
