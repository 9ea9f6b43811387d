import { useState } from 'react';
import type { AttachedDocument } from '#contract/documents';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { DocumentChips } from '../documents/document-chips.tsx';
import { useSendKey } from '../composer/use-send-key.ts';
import { useWords } from '../language/language.tsx';
import { BranchArrows } from './branch-arrows.tsx';
import { isPending } from './conversation.ts';
import type { MessageRowProps } from './message-row-props.ts';

export function UserMessage({ message, conversation }: MessageRowProps) {
  const words = useWords();
  const [isEditing, setIsEditing] = useState(false);
  const isBusy = conversation.running !== undefined;
  if (isEditing) {
    return (
      <MessageEditor
        text={message.content}
        documents={message.documents}
        cancel={() => setIsEditing(false)}
        save={(content) => {
          setIsEditing(false);
          void conversation.edit(message, content);
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
      <div className="-me-1.5 mt-1 flex h-7 items-center gap-0.5 opacity-0 transition-opacity duration-150 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
        {!isPending(message) && (
          <>
            <BranchArrows message={message} conversation={conversation} />
            <CopyButton text={message.content} label={words.chat.copyMessage} />
            <IconButton
              icon="pencil"
              size="small"
              label={words.chat.editMessage}
              disabled={isBusy}
              onClick={() => setIsEditing(true)}
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
  readonly save: (text: string) => void;
  readonly cancel: () => void;
}

function MessageEditor({ text, documents, save, cancel }: MessageEditorProps) {
  const words = useWords();
  const isSendKey = useSendKey();
  const [content, setContent] = useState(text);
  const isEmpty = content.trim() === '';
  return (
    <form
      className="pt-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) save(content);
      }}
    >
      <div className="flex flex-col items-end">
        <DocumentChips documents={documents} />
      </div>
      <textarea
        dir="auto"
        className="field min-h-24 text-[1.0625rem] leading-[1.55]"
        aria-label={words.chat.editMessage}
        value={content}
        rows={Math.min(14, content.split('\n').length + 1)}
        autoFocus
        onChange={(event) => setContent(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            cancel();
          } else if (isSendKey(event) && !isEmpty) {
            event.preventDefault();
            save(content);
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
