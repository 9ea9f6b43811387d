import { Menu } from '@base-ui/react/menu';
import { useState } from 'react';
import type { Folder } from '#contract/folders';
import { useNotices } from '../app/notices.tsx';
import { RenameDialog } from '../chat/rename-dialog.tsx';
import { classes } from '../design/classes.ts';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { Icon } from '../design/icon.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { MenuEntry, MenuPlate } from '../design/menu.tsx';
import { useFoldersWords } from '../language/folders-words.ts';
import { FolderDialog } from './folder-dialog.tsx';
import { useFolderActions } from './use-folder-actions.ts';

interface FolderRowProps {
  readonly folder: Folder;
  readonly isOpen: boolean;
  /** A chat is being held over it. */
  readonly isTarget: boolean;
  readonly toggle: () => void;
}

/** Opens and closes on a click, on Enter, and by the arrows as a tree does. */
export function FolderRow({ folder, isOpen, isTarget, toggle }: FolderRowProps) {
  const words = useFoldersWords();
  const actions = useFolderActions();
  const notices = useNotices();
  const [asked, setAsked] = useState<'rename' | 'delete'>();
  return (
    <div className="group/row relative">
      <button
        type="button"
        aria-expanded={isOpen}
        className={classes(
          'flex h-9 w-full items-center gap-2 rounded-lg px-2.5 text-start text-[0.9375rem] transition-colors duration-150 group-focus-within/row:pe-9 group-hover/row:bg-pressed group-hover/row:pe-9 pointer-coarse:pe-9',
          isTarget && 'bg-accent-wash text-accent-strong',
        )}
        onClick={toggle}
        onKeyDown={(event) => {
          const [inwards, outwards] = arrowsOf(event.currentTarget);
          if (event.key === (isOpen ? outwards : inwards)) toggle();
        }}
      >
        <span
          className={classes(
            'text-ink-faint transition-transform duration-150',
            isOpen && 'rotate-90 rtl:-rotate-90',
          )}
        >
          <Icon name="chevronRight" size={14} />
        </span>
        <span className="text-ink-soft">
          <Icon name="folder" size={16} />
        </span>
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {folder.name}
        </span>
      </button>
      <Menu.Root>
        <Menu.Trigger
          render={
            <IconButton
              icon="more"
              size="small"
              label={words.actions(folder.name)}
              className="absolute! end-1 top-1 opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100"
            />
          }
        />
        <MenuPlate align="end">
          <MenuEntry icon="pencil" onClick={() => setAsked('rename')}>
            {words.rename}
          </MenuEntry>
          <MenuEntry icon="trash" isDanger onClick={() => setAsked('delete')}>
            {words.delete}
          </MenuEntry>
        </MenuPlate>
      </Menu.Root>
      <RenameDialog
        isOpen={asked === 'rename'}
        title={folder.name}
        close={() => setAsked(undefined)}
        rename={(name) => void actions.rename(folder.id, name.slice(0, 80))}
      />
      <ConfirmDialog
        isOpen={asked === 'delete'}
        close={() => setAsked(undefined)}
        title={words.delete}
        sentence={words.deleteQuestion(folder.name)}
        action={words.delete}
        confirm={() => void actions.remove(folder.id).then((isDone) => isDone && notices.tell(words.deleted))}
      />
    </div>
  );
}

/** Into a folder is where the line runs to. */
function arrowsOf(element: Element): readonly [inwards: string, outwards: string] {
  const isRightToLeft = getComputedStyle(element).direction === 'rtl';
  return isRightToLeft ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
}

export function FoldersHeading() {
  const words = useFoldersWords();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="flex items-end justify-between pe-1">
      <h2 className="px-2.5 pt-4 text-[0.8125rem] font-[550] text-ink-faint">{words.title}</h2>
      <IconButton
        icon="plus"
        size="small"
        label={words.create}
        className="-mb-1"
        onClick={() => setIsOpen(true)}
      />
      <FolderDialog isOpen={isOpen} close={() => setIsOpen(false)} />
    </div>
  );
}
