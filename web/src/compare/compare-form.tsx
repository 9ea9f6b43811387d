import { useId, useState } from 'react';
import type { Conversation } from '../chat/conversation.ts';
import { HealthDot } from '../chat/health-dot.tsx';
import { useModels } from '../chat/use-models.ts';
import { useDraft } from '../composer/use-draft.ts';
import { hasTouchKeyboard, useSendKey } from '../composer/use-send-key.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/classes.ts';
import { FindField } from '../design/find-field.tsx';
import { isFound } from '../design/is-found.ts';
import { AttachButton } from '../documents/attach-button.tsx';
import { AttachmentChips } from '../documents/attachment-chips.tsx';
import { useAttachments } from '../documents/use-attachments.ts';
import { useDroppedFiles } from '../documents/use-dropped-files.ts';
import { useCompareWords } from '../language/compare-words.ts';
import { useWords } from '../language/language.tsx';
import { useAskEverybody } from './use-ask-everybody.ts';

const fewest = 2;
const most = 4;
/** More than these are looked for rather than looked through. */
const many = 12;
/** Under which its question and its files wait to be sent. */
const place: Pick<Conversation, 'kind' | 'chatId'> = { kind: 'stored', chatId: 'compare' };

/** Who is asked, and what. */
export function CompareForm() {
  const words = useCompareWords();
  const { documents } = useWords();
  const models = useModels();
  const isSendKey = useSendKey();
  const questionId = useId();
  const { askEverybody, isAsking } = useAskEverybody();
  const [chosen, setChosen] = useState<readonly string[]>();
  const { text: question, write: setQuestion } = useDraft(place);
  const attachments = useAttachments(place);
  const files = useDroppedFiles(attachments.add);
  const [isBlind, setIsBlind] = useState(false);
  const [searched, setSearched] = useState('');
  const well = models.filter(({ health }) => health !== 'down');
  const asked = chosen ?? (well.length < fewest ? models : well).slice(0, fewest).map(({ id }) => id);
  const shown = models.filter(
    ({ id, description }) => asked.includes(id) || isFound(searched, [id, description]),
  );
  const isReady = asked.length >= fewest && question.trim() !== '' && !attachments.isBusy && !isAsking;
  const hasPicture = attachments.all.some(({ kind }) => kind === 'picture');
  const blind = models.filter(({ id, supportsVision }) => asked.includes(id) && !supportsVision);
  const toggle = (id: string) =>
    setChosen(asked.includes(id) ? asked.filter((each) => each !== id) : [...asked, id]);
  const ask = () => {
    if (!isReady) return;
    const attached = attachments.all.flatMap(({ state, document }) => (state === 'ready' && document) || []);
    void askEverybody({ content: question.trim(), attached }, asked, isBlind).then((isTaken) => {
      if (!isTaken) return;
      setQuestion('');
      attachments.replace([]);
    });
  };
  if (models.length === 1) return <p>{words.oneModel}</p>;
  return (
    <form
      className="max-w-3xl"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <fieldset>
        <legend className="mb-2 text-[0.9375rem] font-[550]">{words.models(fewest, most)}</legend>
        {models.length > many && (
          <FindField
            what={words.models(fewest, most)}
            className="field mb-3 max-w-96"
            value={searched}
            change={setSearched}
          />
        )}
        <div className="flex flex-wrap gap-2">
          {shown.map(({ id, health }) => {
            const isChosen = asked.includes(id);
            return (
              <label
                key={id}
                className={classes(
                  'flex cursor-pointer items-center gap-2 rounded-lg border px-3 py-1.5 text-[0.9375rem] transition-colors duration-150 has-focus-visible:outline-2 has-disabled:cursor-not-allowed has-disabled:opacity-55',
                  isChosen ? 'border-accent bg-accent-wash' : 'border-edge bg-raised hover:bg-sunken',
                )}
              >
                <input
                  type="checkbox"
                  className="accent-accent"
                  checked={isChosen}
                  disabled={!isChosen && asked.length >= most}
                  onChange={() => toggle(id)}
                />
                {id}
                <HealthDot health={health} />
              </label>
            );
          })}
        </div>
      </fieldset>
      <label className="mt-5 block text-[0.9375rem] font-[550]" htmlFor={questionId}>
        {words.question}
      </label>
      <div
        className={classes(
          'mt-2 rounded-xl border has-[textarea:focus]:border-accent',
          files.isOver ? 'border-accent bg-accent-wash' : 'border-edge bg-raised',
        )}
      >
        <AttachmentChips attachments={attachments} />
        <textarea
          id={questionId}
          className="block min-h-28 w-full resize-y bg-transparent px-4 py-3 focus-visible:outline-none"
          dir="auto"
          maxLength={100_000}
          value={question}
          placeholder={files.isOver ? documents.dropHere : undefined}
          autoFocus={!hasTouchKeyboard()}
          onChange={(event) => setQuestion(event.target.value)}
          onPaste={files.onPaste}
          onKeyDown={(event) => {
            if (!isSendKey(event)) return;
            event.preventDefault();
            ask();
          }}
        />
        <div className="px-2 pb-2">
          <AttachButton attach={attachments.add} />
        </div>
      </div>
      {hasPicture &&
        blind.map(({ id }) => (
          <p
            key={id}
            role="status"
            className="mt-2 rounded-lg bg-wait-wash px-4 py-2 text-[0.9375rem] text-wait"
          >
            {documents.blind(id)}
          </p>
        ))}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <label className="flex items-center gap-2 text-[0.9375rem]">
          <input
            type="checkbox"
            className="accent-accent"
            checked={isBlind}
            onChange={(event) => setIsBlind(event.target.checked)}
          />
          {words.blind}
        </label>
        <Button type="submit" kind="primary" disabled={!isReady}>
          {words.ask(asked.length)}
        </Button>
      </div>
    </form>
  );
}
