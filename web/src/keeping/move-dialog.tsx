import { useState } from 'react';
import type { ChatSummary } from '#contract/chats';
import { useNotices } from '../app/notices.tsx';
import { useChatActions } from '../chat/use-chat-actions.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/classes.ts';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/field.tsx';
import { Icon } from '../design/icon.tsx';
import { useFoldersWords } from '../language/folders-words.ts';
import { useFolderActions } from './use-folder-actions.ts';
import { useFolders } from './use-folders.ts';

interface MoveDialogProps {
  readonly chat: Pick<ChatSummary, 'id' | 'title' | 'folderId'>;
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** Into one of the folders, into a new one, or out of all. */
export function MoveDialog({ chat, isOpen, close }: MoveDialogProps) {
  const words = useFoldersWords();
  return (
    <Dialog isOpen={isOpen} close={close} title={words.moveTitle} description={chat.title}>
      <MoveForm chat={chat} close={close} />
    </Dialog>
  );
}

function MoveForm({ chat, close }: Omit<MoveDialogProps, 'isOpen'>) {
  const words = useFoldersWords();
  const folders = useFolders();
  const { create } = useFolderActions();
  const actions = useChatActions();
  const notices = useNotices();
  const [name, setName] = useState('');
  const move = async (folderId: string | null, folderName: string) => {
    close();
    if (!(await actions.move(chat.id, folderId))) return;
    notices.tell(folderId === null ? words.movedOut : words.moved(folderName));
  };
  return (
    <>
      {folders.length > 0 && (
        <ul className="-mx-2 mb-5 max-h-[40vh] overflow-y-auto">
          {[{ id: null, name: words.noFolder }, ...folders].map((folder) => (
            <li key={folder.id ?? ''}>
              <button
                type="button"
                aria-current={folder.id === chat.folderId}
                className={classes(
                  'flex h-10 w-full items-center gap-2.5 rounded-lg px-2.5 text-start transition-colors duration-150 hover:bg-sunken focus-visible:-outline-offset-2',
                  folder.id === null && 'text-ink-soft',
                )}
                onClick={() => void move(folder.id, folder.name)}
              >
                {folder.id === null ? <span className="w-[18px]" /> : <Icon name="folder" />}
                <span dir="auto" className="min-w-0 flex-1 truncate">
                  {folder.name}
                </span>
                {folder.id === chat.folderId && (
                  <span className="text-accent">
                    <Icon name="check" size={16} />
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === '') return;
          void create(name.trim()).then((folder) => folder && move(folder.id, folder.name));
        }}
      >
        <div className="min-w-48 flex-1">
          <TextField
            label={folders.length > 0 ? words.orCreate : words.create}
            value={name}
            maxLength={80}
            dir="auto"
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <Button kind="primary" type="submit" disabled={name.trim() === ''}>
          {words.createAndMove}
        </Button>
      </form>
    </>
  );
}
