import { durationInWords } from '../design/amounts.ts';
import { useEnginesWords } from '../language/engines-words.ts';
import { useLanguageTag } from '../language/language.tsx';

interface TrialResultProps {
  readonly isPending: boolean;
  /** Why nothing could be asked. */
  readonly problem: string | undefined;
  readonly trial: { readonly isWell: boolean; readonly text: string; readonly tookMs: number } | undefined;
  /** Whom was asked for what, where the form does not say so. */
  readonly whom?: string | undefined;
}

/** What came of asking an engine a real question. */
export function TrialResult({ isPending, problem, trial, whom }: TrialResultProps) {
  const words = useEnginesWords();
  const tag = useLanguageTag();
  return (
    <div role="status">
      {isPending && <p className="text-ink-soft">{words.asking}</p>}
      {problem !== undefined && <p className="text-danger">{problem}</p>}
      {trial !== undefined && !isPending && (
        <>
          <p className={trial.isWell ? 'font-[550] text-accent-strong' : 'font-[550] text-danger'}>
            {(trial.isWell ? words.answered : words.failed)(durationInWords(trial.tookMs, tag))}
            {whom !== undefined && <span className="font-normal text-ink-soft"> · {whom}</span>}
          </p>
          <p className="mt-1 max-h-48 overflow-y-auto rounded-lg bg-sunken px-3 py-2 break-words whitespace-pre-line">
            {trial.text}
          </p>
        </>
      )}
    </div>
  );
}
