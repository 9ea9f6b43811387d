import { useLocation } from 'wouter';
import { shortcuts, useShortcut } from '../app/shortcuts.ts';
import type { Conversation } from './conversation.ts';
import { useChatActions } from './use-chat-actions.ts';

export function useArchiveShortcut({ chatId, isArchived }: Conversation): void {
  const [, goTo] = useLocation();
  const actions = useChatActions();
  const archive = (id: string) => {
    goTo('/');
    void actions.archive(id);
  };
  useShortcut(shortcuts.archive, chatId === null || isArchived ? undefined : () => archive(chatId));
}
