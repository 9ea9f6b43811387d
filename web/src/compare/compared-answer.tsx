import type { Message } from '#contract/messages';
import { AnswerBody } from '../answer/answer-body.tsx';
import { useLiveAnswer } from '../chat/live-answers-context.tsx';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { useCompareWords } from '../language/compare-words.ts';
import { useLanguageTag, useWords } from '../language/language.tsx';

interface ComparedAnswerProps {
  readonly message: Message;
  /** Its name while the model is hidden. */
  readonly letter: string;
  readonly isHidden: boolean;
  /** Set while one is to be chosen without knowing whose it is. */
  readonly vote: (() => void) | undefined;
  readonly goOn: () => void;
}

/** One column. What would give a hidden model away, its speed and its name, comes after the vote. */
export function ComparedAnswer({ message: stored, letter, isHidden, vote, goOn }: ComparedAnswerProps) {
  const words = useWords();
  const compare = useCompareWords();
  const live = useLiveAnswer(stored);
  const message = live?.message ?? stored;
  const isRunning = message.state === 'running';
  const name = isHidden ? compare.answer(letter) : (message.model ?? '');
  return (
    <li className="flex min-w-0 flex-col rounded-xl border border-hairline bg-raised p-4">
      <h2 className="mb-2 flex items-baseline justify-between gap-3 font-[600]">
        <span className="truncate">{name}</span>
        {!isHidden && <Speed message={message} />}
      </h2>
      <article
        aria-label={isHidden ? name : words.chat.answerBy(name)}
        aria-busy={isRunning}
        data-state={message.state}
        className="min-h-16 min-w-0 flex-1"
      >
        <AnswerBody
          message={message}
          phase={live?.phase ?? 'waiting'}
          place={live?.place ?? null}
          isReconnecting={live?.isReconnecting ?? false}
        />
      </article>
      {!isRunning && (
        <div className="mt-3 flex items-center gap-2">
          {vote !== undefined && (
            <Button size="small" kind="primary" onClick={vote}>
              {compare.vote}
            </Button>
          )}
          {!isHidden && (
            <Button size="small" onClick={goOn}>
              {compare.goOn}
            </Button>
          )}
          {!isHidden && message.feedback?.verdict === 'good' && (
            <span className="text-sm text-accent">{compare.chosen}</span>
          )}
          <span className="ms-auto">
            <CopyButton text={message.content} label={words.chat.copyAnswer} />
          </span>
        </div>
      )}
    </li>
  );
}

function Speed({ message: { usage, timings, state } }: { readonly message: Message }) {
  const words = useCompareWords();
  const numbers = new Intl.NumberFormat(useLanguageTag(), { maximumFractionDigits: 1 });
  if (state === 'running' || usage === null || timings === null) return null;
  return (
    <span className="text-sm font-normal whitespace-nowrap text-ink-soft tabular-nums">
      {words.speed(numbers.format(usage.outputTokens), numbers.format(timings.totalMs / 1000))}
    </span>
  );
}
