import { useState } from 'react';
import { HealthDot } from '../chat/health-dot.tsx';
import { useModels } from '../chat/use-models.ts';
import { useDraft } from '../composer/use-draft.ts';
import { hasTouchKeyboard, useSendKey } from '../composer/use-send-key.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/classes.ts';
import { FindField } from '../design/find-field.tsx';
import { isFound } from '../design/is-found.ts';
import { useCompareWords } from '../language/compare-words.ts';
import { useAskEverybody } from './use-ask-everybody.ts';

const fewest = 2;
const most = 4;
/** More than these are looked for rather than looked through. */
const many = 12;

/** Who is asked, and what. */
export function CompareForm() {
  const words = useCompareWords();
  const models = useModels();
  const isSendKey = useSendKey();
  const { askEverybody, isAsking } = useAskEverybody();
  const [chosen, setChosen] = useState<readonly string[]>();
  const { text: question, write: setQuestion } = useDraft({ kind: 'stored', chatId: 'compare' });
  const [isBlind, setIsBlind] = useState(false);
  const [searched, setSearched] = useState('');
  const well = models.filter(({ health }) => health !== 'down');
  const asked = chosen ?? (well.length < fewest ? models : well).slice(0, fewest).map(({ id }) => id);
  const shown = models.filter(
    ({ id, description }) => asked.includes(id) || isFound(searched, [id, description]),
  );
  const isReady = asked.length >= fewest && question.trim() !== '' && !isAsking;
  const toggle = (id: string) =>
    setChosen(asked.includes(id) ? asked.filter((each) => each !== id) : [...asked, id]);
  const ask = () => {
    if (isReady)
      void askEverybody(question.trim(), asked, isBlind).then((isTaken) => isTaken && setQuestion(''));
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
      <label className="mt-5 block text-[0.9375rem] font-[550]">
        {words.question}
        <textarea
          className="mt-2 block min-h-28 w-full resize-y rounded-xl border border-edge bg-raised px-4 py-3 font-normal"
          dir="auto"
          maxLength={100_000}
          value={question}
          autoFocus={!hasTouchKeyboard()}
          onChange={(event) => setQuestion(event.target.value)}
          onKeyDown={(event) => {
            if (!isSendKey(event)) return;
            event.preventDefault();
            ask();
          }}
        />
      </label>
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
