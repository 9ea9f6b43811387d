import { useState } from 'react';
import { HealthDot } from '../chat/health-dot.tsx';
import { useModels } from '../chat/use-models.ts';
import { hasTouchKeyboard, useSendKey } from '../composer/use-send-key.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/classes.ts';
import { useCompareWords } from '../language/compare-words.ts';
import { useAskEverybody } from './use-ask-everybody.ts';

const fewest = 2;
const most = 4;

/** Who is asked, and what. */
export function CompareForm() {
  const words = useCompareWords();
  const models = useModels();
  const isSendKey = useSendKey();
  const { askEverybody, isAsking } = useAskEverybody();
  const [chosen, setChosen] = useState<readonly string[]>();
  const [question, setQuestion] = useState('');
  const [isBlind, setIsBlind] = useState(false);
  const asked = chosen ?? models.slice(0, fewest).map(({ id }) => id);
  const isReady = asked.length >= fewest && question.trim() !== '' && !isAsking;
  const toggle = (id: string) =>
    setChosen(asked.includes(id) ? asked.filter((each) => each !== id) : [...asked, id]);
  const ask = () => {
    if (isReady) void askEverybody(question.trim(), asked, isBlind);
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
        <div className="flex flex-wrap gap-2">
          {models.map(({ id, health }) => {
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
