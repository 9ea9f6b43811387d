import { type KeyboardEvent, lazy, Suspense, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { Model } from '#contract/models';
import { useSession } from '../app/session.tsx';
import { shortcuts } from '../app/shortcuts.ts';
import type { Conversation } from '../chat/conversation.ts';
import { useOnline } from '../app/use-online.ts';
import { AttachButton } from '../documents/attach-button.tsx';
import { AttachmentChips } from '../documents/attachment-chips.tsx';
import { inlineText } from '../documents/inline-text.ts';
import { useAttachments } from '../documents/use-attachments.ts';
import { useDroppedFiles } from '../documents/use-dropped-files.ts';
import { classes } from '../design/classes.ts';
import { IconButton } from '../design/icon-button.tsx';
import { OnceOpened } from '../design/once-opened.tsx';
import type { Words } from '../language/en/first.ts';
import { useWords } from '../language/language.tsx';
import { EffortChip } from './effort-chip.tsx';
import { QueuedQuestions } from './queued-questions.tsx';
import { useQuestionQueue } from './use-question-queue.ts';
import { useContextPreview } from './use-context-preview.ts';
import type { Blanks } from '../presets/use-blanks.ts';
import type { useDraft } from './use-draft.ts';
import { useSendKey } from './use-send-key.ts';

const SlashMenu = lazy(async () => ({ default: (await import('../presets/slash-menu.tsx')).SlashMenu }));
const NextBlank = lazy(async () => ({ default: (await import('../presets/next-blank.tsx')).NextBlank }));
const ToolsButton = lazy(async () => ({ default: (await import('../tools/tools-button.tsx')).ToolsButton }));
const ContextChoice = lazy(async () => ({ default: (await import('./context-choice.tsx')).ContextChoice }));
const ContextMeter = lazy(async () => ({ default: (await import('./context-meter.tsx')).ContextMeter }));
const BudgetWarning = lazy(async () => ({
  default: (await import('../standing/budget-warning.tsx')).BudgetWarning,
}));
const ParametersPanel = lazy(async () => ({
  default: (await import('./parameters-panel.tsx')).ParametersPanel,
}));

interface ComposerProps {
  readonly ref: RefObject<HTMLTextAreaElement | null>;
  readonly conversation: Conversation;
  readonly model: Model | undefined;
  /** The name of the project of this chat, when it may not use the model. */
  readonly closedIn: string | undefined;
  readonly draft: ReturnType<typeof useDraft>;
  readonly blanks: Blanks;
}

export function Composer({ ref, conversation, model, closedIn, draft, blanks }: ComposerProps) {
  const words = useWords();
  const { person } = useSession();
  const isSendKey = useSendKey();
  const isOnline = useOnline();
  const { text, write } = draft;
  const [areParametersOpen, setAreParametersOpen] = useState(false);
  const slashKeys = useRef<(event: KeyboardEvent) => boolean>(undefined);
  const [presetAt, setPresetAt] = useState<string>();
  const isAnswering = conversation.running !== undefined;
  const queue = useQuestionQueue(conversation, isOnline);
  const hasText = text.trim() !== '';
  const attachments = useAttachments(conversation);
  const context = useContextPreview(conversation, text, attachments);
  const maySend = hasText && !attachments.isBusy && (isAnswering ? !queue.isFull : isOnline);
  useGrowingHeight(ref, text);
  const attach = (chosen: readonly File[]) => {
    attachments.add(chosen);
    ref.current?.focus();
  };
  const files = useDroppedFiles(attach);

  const send = () => {
    if (!maySend) return;
    const words = text.trim();
    const going = attachments.all.filter(({ state }) => state === 'ready');
    const attached = going.flatMap(({ document }) => document ?? []);
    const content = inlineText(going, words);
    write('');
    attachments.replace([]);
    if (isAnswering) queue.add({ content, attached });
    else {
      void conversation.send([{ role: 'user', content }], attached).then((isTaken) => {
        if (isTaken) return;
        draft.giveBack(words);
        attachments.replace(going);
      });
    }
  };
  const placeholder = files.isOver
    ? words.documents.dropHere
    : conversation.kind === 'temporary'
      ? words.composer.askTemporary
      : words.composer.ask;
  return (
    <form
      className="mx-auto w-full max-w-[48rem] px-3 pb-3 sm:px-4"
      aria-label={words.composer.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Warning>{foreseen(words, model, closedIn)}</Warning>
      {model?.supportsVision === false && attachments.all.some(({ kind }) => kind === 'picture') && (
        <Warning>{words.documents.blind(model.id)}</Warning>
      )}
      {model !== undefined && (
        <Suspense>
          <BudgetWarning model={model.id} conversation={conversation} />
        </Suspense>
      )}
      <OnceOpened isOpen={typeof context?.beginsAt === 'string'}>
        {typeof context?.beginsAt === 'string' && <ContextChoice conversation={conversation} />}
      </OnceOpened>
      <div
        className={classes(
          'relative rounded-2xl border bg-raised shadow-float transition-colors duration-150 focus-within:border-accent',
          conversation.kind === 'temporary' ? 'border-dashed border-edge' : 'border-edge',
          files.isOver && 'border-accent bg-accent-wash',
        )}
      >
        <OnceOpened isOpen={text.startsWith('/') || blanks.remaining > 0}>
          <SlashMenu
            text={text}
            write={write}
            blanks={blanks}
            conversation={conversation}
            point={setPresetAt}
            keys={slashKeys}
          />
        </OnceOpened>
        <AttachmentChips attachments={attachments} />
        <QueuedQuestions queue={queue} mayGo={!isAnswering && isOnline} />
        <textarea
          ref={ref}
          dir="auto"
          rows={1}
          value={text}
          aria-label={words.composer.message}
          placeholder={placeholder}
          aria-autocomplete="list"
          aria-activedescendant={presetAt}
          className="block max-h-[40vh] w-full resize-none bg-transparent px-4 pt-3.5 pb-1 text-[1.0625rem] leading-[1.5] focus-visible:outline-none"
          onChange={(event) => write(event.target.value)}
          onPaste={files.onPaste}
          onKeyDown={(event) => {
            if (slashKeys.current?.(event) === true) return;
            if (!isSendKey(event)) return;
            event.preventDefault();
            // Whoever means the braces has the button.
            if (blanks.remaining > 0) blanks.step();
            else send();
          }}
        />
        <OnceOpened isOpen={blanks.remaining > 0}>
          <NextBlank blanks={blanks} />
        </OnceOpened>
        <div className="flex items-center gap-1 px-2 pb-2">
          <AttachButton attach={attach} />
          {model?.supportsTools === true && conversation.kind !== 'temporary' && (
            <Suspense>
              <ToolsButton conversation={conversation} />
            </Suspense>
          )}
          <IconButton
            icon="sliders"
            label={words.parameters.title}
            aria-pressed={hasOwnSettings(conversation)}
            onClick={() => setAreParametersOpen(true)}
          />
          {model !== undefined && model.effortLevels.length > 0 && (
            <EffortChip
              levels={model.effortLevels}
              chosen={conversation.settings.effort ?? model.defaultEffort ?? 'medium'}
              choose={(effort) => conversation.changeSettings({ effort })}
            />
          )}
          <div className="ms-auto flex gap-1">
            <OnceOpened isOpen={context !== undefined}>
              {context !== undefined && <ContextMeter context={context} conversation={conversation} />}
            </OnceOpened>
            {isAnswering && (
              <IconButton
                icon="stop"
                label={words.composer.stop}
                shortcut={shortcuts.stop}
                className="rounded-full! bg-ink! text-paper!"
                onClick={conversation.stop}
              />
            )}
            {(!isAnswering || hasText) && (
              <IconButton
                icon="arrowUp"
                label={isAnswering ? words.composer.sendLater : words.composer.send}
                shortcut={person.preferences.sendWithEnter ? 'Enter' : 'Mod+Enter'}
                disabled={!maySend}
                className="rounded-full! bg-accent! text-on-accent! hover:bg-accent-strong! disabled:bg-pressed! disabled:text-ink-faint! disabled:opacity-100!"
                onClick={send}
              />
            )}
          </div>
        </div>
      </div>
      <p className="mt-2 text-center text-[0.8125rem] text-ink-faint">
        {conversation.kind === 'temporary' ? words.composer.temporaryFootnote : words.composer.footnote}
      </p>
      <OnceOpened isOpen={areParametersOpen}>
        <ParametersPanel
          conversation={conversation}
          model={model}
          isOpen={areParametersOpen}
          close={() => setAreParametersOpen(false)}
        />
      </OnceOpened>
    </form>
  );
}

/** Says before the click that it would not work now. */
function Warning({ children }: { readonly children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <p role="status" className="mb-2 rounded-lg bg-wait-wash px-4 py-2 text-[0.9375rem] text-wait">
      {children}
    </p>
  );
}

function foreseen(words: Words, model: Model | undefined, closedIn: string | undefined): string | undefined {
  if (model === undefined) return undefined;
  if (closedIn !== undefined) return words.composer.closed(model.id, closedIn);
  if (model.health === 'down') return words.composer.down(model.id);
  return model.health === 'starting' ? words.composer.starting(model.id) : undefined;
}

function hasOwnSettings({ settings }: Conversation): boolean {
  const { toolServers: _servers, whenFull: _wish, ...parameters } = settings.parameters;
  return settings.systemPrompt !== '' || Object.keys(parameters).length > 0;
}

function useGrowingHeight(ref: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [ref, text]);
}
