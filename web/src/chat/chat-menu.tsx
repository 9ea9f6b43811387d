import { Menu } from '@base-ui/react/menu';
import { lazy, useState } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../client/client-context.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { MenuEntry, MenuLine, MenuPlate } from '../design/menu.tsx';
import { OnceOpened } from '../design/once-opened.tsx';
import { useWords } from '../language/language.tsx';
import { useChatActions } from './use-chat-actions.ts';

const RenameDialog = lazy(async () => ({ default: (await import('./rename-dialog.tsx')).RenameDialog }));

interface ChatMenuProps {
  readonly chatId: string;
  readonly title: string;
  readonly isPinned: boolean;
  readonly className?: string;
}

/** What can be done with a whole chat; in the sidebar and above the conversation. */
export function ChatMenu({ chatId, title, isPinned, className }: ChatMenuProps) {
  const words = useWords();
  const client = useClient();
  const [location, goTo] = useLocation();
  const actions = useChatActions();
  const [isRenaming, setIsRenaming] = useState(false);
  const save = (format: 'markdown' | 'json') =>
    download(client.address('GET /console/chats/:chatId/export', { chatId, query: { format } }));
  return (
    <>
      <Menu.Root>
        <Menu.Trigger
          render={
            <IconButton
              icon="more"
              size={className === undefined ? 'medium' : 'small'}
              label={words.chat.actions(title)}
              className={className}
            />
          }
        />
        <MenuPlate align="end">
          <MenuEntry icon="pencil" onClick={() => setIsRenaming(true)}>
            {words.chat.rename}
          </MenuEntry>
          <MenuEntry icon="pin" onClick={() => void actions.setPinned(chatId, !isPinned)}>
            {isPinned ? words.chat.unpin : words.chat.pin}
          </MenuEntry>
          <MenuLine />
          <MenuEntry icon="download" onClick={() => save('markdown')}>
            {words.chat.exportMarkdown}
          </MenuEntry>
          <MenuEntry icon="download" onClick={() => save('json')}>
            {words.chat.exportJson}
          </MenuEntry>
          <MenuLine />
          <MenuEntry
            icon="trash"
            isDanger
            onClick={() => {
              if (location === `/chat/${chatId}`) goTo('/');
              void actions.remove(chatId);
            }}
          >
            {words.chat.delete}
          </MenuEntry>
        </MenuPlate>
      </Menu.Root>
      <OnceOpened isOpen={isRenaming}>
        <RenameDialog
          isOpen={isRenaming}
          title={title}
          close={() => setIsRenaming(false)}
          rename={(next) => void actions.rename(chatId, next)}
        />
      </OnceOpened>
    </>
  );
}

function download(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
