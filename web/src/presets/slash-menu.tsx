import { lazy, useEffect, useId, useState, type KeyboardEvent, type RefObject } from 'react';
import type { Preset } from '#contract/presets';
import type { Conversation } from '../chat/conversation.ts';
import { classes } from '../design/classes.ts';
import { Icon } from '../design/icon.tsx';
import { OnceOpened } from '../design/once-opened.tsx';
import { usePresetsWords } from '../language/presets-words.ts';
import { useSpaceOf } from '../spaces/use-spaces.ts';
import { useApplyPreset } from './use-apply-preset.ts';
import type { Blanks } from './use-blanks.ts';
import { forChat, matchingPresets, usePresets } from './use-presets.ts';

const PresetDialog = lazy(async () => ({ default: (await import('./preset-dialog.tsx')).PresetDialog }));

interface SlashMenuProps {
  readonly text: string;
  readonly write: (text: string) => void;
  readonly blanks: Blanks;
  readonly conversation: Conversation;
  /** Told which option the arrows are at, for whoever cannot see it. */
  readonly point: (optionId: string | undefined) => void;
  /** Filled in here: the field's keys come by first. True when a key was used up. */
  readonly keys: RefObject<((event: KeyboardEvent) => boolean) | undefined>;
}

/** Presets by their names as one writes `/`, and the Tab key from blank to blank of what they put into the field. */
export function SlashMenu({ text, write, blanks, conversation, point, keys }: SlashMenuProps) {
  const words = usePresetsWords();
  const listId = useId();
  const presets = usePresets();
  const space = useSpaceOf(conversation);
  const apply = useApplyPreset(conversation);
  const [chosen, setChosen] = useState(0);
  const [putAway, setPutAway] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const isOpen = /^\/\S*$/.test(text) && text !== putAway;
  const found = isOpen ? matchingPresets(forChat(presets ?? [], space?.projectId), text.slice(1)) : [];
  const maySave = isOpen && text === '/';
  const count = found.length + (maySave ? 1 : 0);
  const index = Math.min(chosen, count - 1);
  const activeId = count > 0 ? `${listId}${index}` : undefined;
  useEffect(() => point(activeId), [point, activeId]);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  useEffect(() => setChosen(0), [text]);

  const choose = (place: number) => {
    const preset = found[place];
    if (preset === undefined) {
      write('');
      setIsSaving(true);
      return;
    }
    apply(preset);
    write(preset.prompt);
    blanks.begin();
  };

  useEffect(() => {
    keys.current = (event) => {
      if (event.nativeEvent.isComposing) return false;
      const isUsed = count > 0 ? onListKey(event) : blanks.remaining > 0 && onBlankKey(event);
      if (isUsed) event.preventDefault();
      return isUsed;
    };
    return () => {
      keys.current = undefined;
    };
  });

  function onListKey({ key, shiftKey }: KeyboardEvent): boolean {
    if (key === 'ArrowDown') setChosen((index + 1) % count);
    else if (key === 'ArrowUp') setChosen((index + count - 1) % count);
    else if (key === 'Escape') setPutAway(text);
    else if ((key === 'Enter' || key === 'Tab') && !shiftKey) choose(index);
    else return false;
    return true;
  }

  function onBlankKey({ key, shiftKey }: KeyboardEvent): boolean {
    if (key === 'Escape') blanks.end();
    return key === 'Tab' && blanks.step(shiftKey);
  }

  return (
    <>
      {count > 0 && (
        <div
          role="listbox"
          aria-label={words.choose}
          className="floating absolute inset-x-0 bottom-full z-20 mb-2 max-h-[40vh] overflow-y-auto p-1.5"
        >
          {found.map((preset, place) => (
            <PresetOption
              key={preset.id}
              id={`${listId}${place}`}
              preset={preset}
              projectName={space?.name}
              isActive={place === index}
              point={() => setChosen(place)}
              choose={() => choose(place)}
            />
          ))}
          {maySave && (
            <Option
              id={`${listId}${found.length}`}
              isActive={index === found.length}
              point={() => setChosen(found.length)}
              choose={() => choose(found.length)}
            >
              <span className="text-accent">
                <Icon name="plus" size={16} />
              </span>
              <span className="text-[0.9375rem]">{words.saveThis}</span>
            </Option>
          )}
        </div>
      )}
      <OnceOpened isOpen={isSaving}>
        <PresetDialog
          isOpen={isSaving}
          close={() => setIsSaving(false)}
          owner={{ scope: 'person' }}
          preset={undefined}
          settings={conversation.settings}
        />
      </OnceOpened>
    </>
  );
}

interface OptionProps {
  readonly id: string;
  readonly isActive: boolean;
  readonly point: () => void;
  readonly choose: () => void;
  readonly children: React.ReactNode;
}

function Option({ id, isActive, point, choose, children }: OptionProps) {
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
      // The caret stays in the field.
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={isActive ? undefined : point}
      onClick={choose}
    >
      {children}
    </div>
  );
}

interface PresetOptionProps extends Omit<OptionProps, 'children'> {
  readonly preset: Preset;
  readonly projectName: string | undefined;
}

function PresetOption({ preset, projectName, ...option }: PresetOptionProps) {
  const words = usePresetsWords();
  const said = preset.description === '' ? (preset.model ?? preset.prompt) : preset.description;
  return (
    <Option {...option}>
      <span className="shrink-0 font-mono text-[0.875rem] text-accent-strong">/{preset.name}</span>
      <span dir="auto" className="min-w-0 flex-1 truncate text-[0.9375rem] text-ink-soft">
        {said}
      </span>
      {preset.scope !== 'person' && (
        <span className="max-w-[40%] truncate text-[0.8125rem] text-ink-faint">
          {preset.scope === 'service' ? words.ofService : projectName}
        </span>
      )}
    </Option>
  );
}
