import { Menu } from '@base-ui/react/menu';
import { lazy, useState } from 'react';
import { useLocation } from 'wouter';
import type { ChatSummary } from '#contract/chats';
import { useClient } from '../client/client-context.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { MenuEntry, MenuLine, MenuPlate } from '../design/menu.tsx';
import { OnceOpened } from '../design/once-opened.tsx';
import { useWords } from '../language/language.tsx';
import { useChatActions } from './use-chat-actions.ts';

const RenameDialog = lazy(async () => ({ default: (await import('./rename-dialog.tsx')).RenameDialog }));

const MoveDialog = lazy(async () => ({ default: (await import('../keeping/move-dialog.tsx')).MoveDialog }));

interface ChatMenuProps {
  readonly chat: Pick<ChatSummary, 'id' | 'title' | 'isPinned' | 'isArchived' | 'folderId'>;
  readonly className?: string;
}

/** What can be done with a whole chat; in the sidebar and above the conversation. */
export function ChatMenu({ chat, className }: ChatMenuProps) {
  const { id: chatId, title, isPinned, isArchived } = chat;
  const words = useWords();
  const client = useClient();
  const [location, goTo] = useLocation();
  const actions = useChatActions();
  const [isRenaming, setIsRenaming] = useState(false);
  const [isMoving, setIsMoving] = useState(false);
  const leave = () => location === `/chat/${chatId}` && goTo('/');
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
          <MenuEntry icon="folder" onClick={() => setIsMoving(true)}>
            {words.keeping.move}
          </MenuEntry>
          <MenuEntry
            icon="archive"
            onClick={() => {
              if (isArchived) return void actions.bringBack(chatId);
              leave();
              void actions.archive(chatId);
            }}
          >
            {isArchived ? words.keeping.bringBack : words.keeping.archive}
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
              leave();
              void actions.remove(chatId);
            }}
          >
            {words.chat.delete}
          </MenuEntry>
        </MenuPlate>
      </Menu.Root>
      <OnceOpened isOpen={isMoving}>
        <MoveDialog isOpen={isMoving} chat={chat} close={() => setIsMoving(false)} />
      </OnceOpened>
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
