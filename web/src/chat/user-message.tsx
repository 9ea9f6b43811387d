import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { AttachedDocument } from '#contract/documents';
import { useSession } from '../app/session.tsx';
import { draftName } from '../composer/drafts.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/classes.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { DocumentChips } from '../documents/document-chips.tsx';
import { useSendKey } from '../composer/use-send-key.ts';
import { useWords } from '../language/language.tsx';
import { BranchArrows } from './branch-arrows.tsx';
import { isPending } from './conversation.ts';
import { dropEdit, keepEdit, keptEdits } from './kept-edits.ts';
import type { MessageRowProps } from './message-row-props.ts';

export function UserMessage({ message, conversation }: MessageRowProps) {
  const words = useWords();
  const { person } = useSession();
  const draft = draftName(person.id, conversation.chatId);
  const edit = useSyncExternalStore(keptEdits.subscribe, () =>
    keptEdits.of(draft).find(({ id }) => id === message.id),
  );
  /** Only whoever asks for it gets the caret there: not a reload, nor scrolling by. */
  const [isAskedFor, setIsAskedFor] = useState(false);
  const isBusy = conversation.running !== undefined;
  const close = () => {
    setIsAskedFor(false);
    keepEdit(draft, message, { isOpen: false });
  };
  if (edit?.isOpen === true) {
    return (
      <MessageEditor
        text={edit.content ?? message.content}
        documents={message.documents}
        hasFocus={isAskedFor}
        write={(content) => keepEdit(draft, message, { content, isOpen: true })}
        setAside={close}
        cancel={() => {
          setIsAskedFor(false);
          dropEdit(draft, message.id);
        }}
        save={(content) => {
          close();
          void conversation.edit(message, content).then((isTaken) => {
            if (isTaken) dropEdit(draft, message.id);
            else keepEdit(draft, message, { content, isOpen: true });
          });
        }}
      />
    );
  }
  return (
    <article aria-label={words.chat.you} className="group flex flex-col items-end pt-6">
      <DocumentChips documents={message.documents} />
      <div
        dir="auto"
        data-question
        className="max-w-[85%] rounded-2xl rounded-ee-md bg-question px-4 py-2.5 text-[1.0625rem] leading-[1.55] break-words whitespace-pre-wrap"
      >
        {message.content}
      </div>
      <div
        className={classes(
          '-me-1.5 mt-1 flex h-7 items-center gap-0.5 transition-opacity duration-150 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100',
          edit === undefined && 'opacity-0',
        )}
      >
        {!isPending(message) && (
          <>
            <BranchArrows message={message} conversation={conversation} />
            <CopyButton text={message.content} label={words.chat.copyMessage} />
            <IconButton
              icon="pencil"
              size="small"
              label={words.chat.editMessage}
              aria-pressed={edit === undefined ? undefined : true}
              disabled={isBusy}
              onClick={() => {
                setIsAskedFor(true);
                keepEdit(draft, message, { isOpen: true });
              }}
            />
            <IconButton
              icon="trash"
              size="small"
              label={words.chat.deleteMessage}
              disabled={isBusy}
              onClick={() => conversation.remove(message)}
            />
          </>
        )}
      </div>
    </article>
  );
}

interface MessageEditorProps {
  readonly text: string;
  /** They stay with the question. */
  readonly documents: readonly AttachedDocument[];
  readonly hasFocus: boolean;
  readonly write: (text: string) => void;
  readonly save: (text: string) => void;
  /** The words wait for the next time. */
  readonly setAside: () => void;
  readonly cancel: () => void;
}

function MessageEditor({ text, documents, hasFocus, write, save, setAside, cancel }: MessageEditorProps) {
  const words = useWords();
  const isSendKey = useSendKey();
  const isEmpty = text.trim() === '';
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { current } = field;
    // One goes on where the words end.
    if (hasFocus) current?.setSelectionRange(current.value.length, current.value.length);
  }, [hasFocus]);
  return (
    <form
      className="pt-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) save(text);
      }}
    >
      <div className="flex flex-col items-end">
        <DocumentChips documents={documents} />
      </div>
      <textarea
        ref={field}
        dir="auto"
        className="field field-sizing-content max-h-[60vh] min-h-24 text-[1.0625rem] leading-[1.55]"
        aria-label={words.chat.editMessage}
        value={text}
        rows={Math.min(14, text.split('\n').length + 1)}
        autoFocus={hasFocus}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            setAside();
          } else if (isSendKey(event) && !isEmpty) {
            event.preventDefault();
            save(text);
          }
        }}
      />
      <div className="mt-2 flex items-center justify-end gap-2">
        <span className="me-auto text-sm text-ink-faint">{words.chat.editKeepsOld}</span>
        <Button kind="quiet" size="small" onClick={cancel}>
          {words.general.cancel}
        </Button>
        <Button kind="primary" size="small" type="submit" disabled={isEmpty}>
          {words.chat.sendEdited}
        </Button>
      </div>
    </form>
  );
}
