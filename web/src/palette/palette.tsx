import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { classes } from '../design/classes.ts';
import { Icon } from '../design/icon.tsx';
import { Keys } from '../design/keys.tsx';
import { FolderDialog } from '../keeping/folder-dialog.tsx';
import { usePaletteWords } from '../language/palette-words.ts';
import { Marked } from '../sidebar/marked.tsx';
import type { PaletteEntry } from './entry.ts';
import { useEntries } from './use-entries.ts';

interface PaletteProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  /** What was typed before the field was there. */
  readonly takeTypedAhead: () => string;
}

/** One dialog for chats, messages, models, pages and actions; the hands stay on the keyboard. */
export function Palette({ isOpen, close, takeTypedAhead }: PaletteProps) {
  const words = usePaletteWords();
  const [isMakingFolder, setIsMakingFolder] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <Dialog.Root open={isOpen} onOpenChange={(open) => !open && close()}>
        <Dialog.Portal>
          <Dialog.Backdrop className="veil z-40" />
          <Dialog.Viewport className="fixed inset-0 z-40 flex justify-center overflow-hidden p-3 pt-[min(12vh,6rem)]">
            <Dialog.Popup
              initialFocus={field}
              className="floating flex max-h-[min(32rem,76vh)] w-full max-w-xl flex-col self-start overflow-hidden p-0!"
            >
              <Dialog.Title className="sr-only">{words.title}</Dialog.Title>
              <Search
                field={field}
                close={close}
                takeTypedAhead={takeTypedAhead}
                newFolder={() => setIsMakingFolder(true)}
              />
            </Dialog.Popup>
          </Dialog.Viewport>
        </Dialog.Portal>
      </Dialog.Root>
      <FolderDialog isOpen={isMakingFolder} close={() => setIsMakingFolder(false)} />
    </>
  );
}

interface SearchProps {
  readonly field: React.RefObject<HTMLInputElement | null>;
  readonly close: () => void;
  readonly takeTypedAhead: () => string;
  readonly newFolder: () => void;
}

function Search({ field, close, takeTypedAhead, newFolder }: SearchProps) {
  const words = usePaletteWords();
  const listId = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const { groups, isLooking } = useEntries(text.trim(), newFolder);
  const entries = groups.flatMap((group) => group.entries);
  const index = Math.min(chosen, entries.length - 1);
  const optionId = (entry: PaletteEntry | undefined) =>
    entry === undefined ? undefined : `${listId} ${entry.id}`.replaceAll(/[^\w-]/g, '-');
  const activeId = optionId(entries[index]);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const run = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    close();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const to = targetOf(event.key, index, entries.length);
    if (to !== undefined) setChosen(to);
    else if (event.key === 'Enter') run(entries[index]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="flex items-center gap-3 border-b border-hairline px-4">
        <span className="text-ink-soft">
          <Icon name="search" />
        </span>
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={activeId}
          aria-label={words.title}
          placeholder={words.placeholder}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          className="h-13 min-w-0 flex-1 bg-transparent text-[1.0625rem] placeholder:text-ink-faint focus-visible:outline-none"
          value={text}
          onFocus={() => {
            const typed = takeTypedAhead();
            if (typed !== '') setText((now) => now + typed);
          }}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        id={listId}
        role="listbox"
        aria-label={words.results}
        aria-busy={isLooking}
        tabIndex={-1}
        className="min-h-0 flex-1 overflow-y-auto p-2"
      >
        {groups.map(({ name, entries: members }) => (
          <div key={name} role="group" aria-label={name}>
            <p aria-hidden="true" className="px-2.5 pt-2 pb-1 text-[0.8125rem] font-[550] text-ink-faint">
              {name}
            </p>
            {members.map((entry) => (
              <Option
                key={entry.id}
                id={optionId(entry)}
                entry={entry}
                isActive={entry === entries[index]}
                point={() => setChosen(entries.indexOf(entry))}
                run={() => run(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      <p
        role="status"
        className={entries.length > 0 ? 'sr-only' : 'px-4 pb-4 text-[0.9375rem] text-ink-soft'}
      >
        {isLooking ? words.searching : entries.length > 0 ? words.count(entries.length) : words.nothing}
      </p>
      <p
        aria-hidden="true"
        className="flex gap-4 border-t border-hairline px-4 py-2 text-[0.8125rem] text-ink-faint pointer-coarse:hidden"
      >
        <Hint keys="↑+↓">{words.move}</Hint>
        <Hint keys="Enter">{words.open}</Hint>
        <Hint keys="Escape">{words.close}</Hint>
      </p>
    </>
  );
}

interface OptionProps {
  readonly id: string | undefined;
  readonly entry: PaletteEntry;
  readonly isActive: boolean;
  readonly point: () => void;
  readonly run: () => void;
}

function Option({ id, entry, isActive, point, run }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={classes(
        'flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-2.5 py-1.5',
        isActive && 'bg-sunken',
      )}
      onPointerMove={isActive ? undefined : point}
      onClick={run}
    >
      <span className={isActive ? 'text-accent' : 'text-ink-faint'}>
        <Icon name={entry.icon} size={17} />
      </span>
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-[0.9375rem]">
          {entry.label}
        </span>
        {entry.snippet !== undefined && (
          <span dir="auto" className="line-clamp-2 text-sm text-ink-soft">
            <Marked pieces={entry.snippet} />
          </span>
        )}
      </span>
      {entry.note !== undefined && (
        <span className="max-w-[45%] truncate text-[0.8125rem] text-ink-faint max-sm:hidden">
          {entry.note}
        </span>
      )}
      {entry.shortcut !== undefined && <Keys combination={entry.shortcut} />}
    </div>
  );
}

function Hint({ keys, children }: { readonly keys: string; readonly children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <Keys combination={keys} />
      {children}
    </span>
  );
}

/** Where a key leads among so many entries; from the last one on to the first. */
function targetOf(key: string, index: number, count: number): number | undefined {
  if (count === 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return (index + 1) % count;
    case 'ArrowUp':
      return (index + count - 1) % count;
    case 'PageDown':
      return Math.min(index + 8, count - 1);
    case 'PageUp':
      return Math.max(index - 8, 0);
    default:
      return undefined;
  }
}
