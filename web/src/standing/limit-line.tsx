import type { ReactNode } from 'react';
import type { ProjectStanding } from '#contract/projects';
import { Meter } from '../design/meter.tsx';
import { Moment } from '../design/moment.tsx';
import { useLanguageTag } from '../language/language.tsx';
import { usePagesWords } from '../language/pages-words.ts';

interface LimitLineProps {
  readonly line: ProjectStanding;
  /** Whose limit it is, where the heading does not say it. */
  readonly whose?: string | undefined;
  /** Those who can raise it, besides administrators; undefined where that is the reader. */
  readonly leads: readonly string[] | undefined;
}

/** One limit: how much of it is used, what is left, when it is whole again and who can raise it. */
export function LimitLine({ line, whose, leads }: LimitLineProps) {
  const words = usePagesWords().standing;
  const tag = useLanguageTag();
  const numbers = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 });
  const { limit, modelId, amount, used, left, renewsAt } = line;
  const name = words.limits[limit];
  const renewal = renewalOf();
  return (
    <li className="grid gap-x-6 gap-y-1 py-2.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,16rem)]">
      <div className="min-w-0">
        <p>
          <span className="font-[550]">{name}</span>{' '}
          <span className="text-ink-soft">
            {[whose, modelId === null ? undefined : words.forModel(modelId)].filter(Boolean).join(' ')}
          </span>
        </p>
        <p className="text-sm text-ink-soft">
          {renewal}
          {renewal !== undefined && leads !== undefined && ' · '}
          {leads !== undefined && words.raisedBy(leads)}
        </p>
      </div>
      <div className="flex flex-col justify-center gap-1.5">
        <p className="text-[0.9375rem] tabular-nums sm:text-end">
          {words.left(
            numbers.format(Math.floor(left)),
            limit.startsWith('cost') ? words.units(numbers.format(amount)) : numbers.format(amount),
          )}
        </p>
        <Meter label={name} used={used} amount={amount} />
      </div>
    </li>
  );

  function renewalOf(): ReactNode {
    if (renewsAt === null) return limit === 'requestsAtOnce' ? undefined : words.renewsNever;
    if (used === 0) return undefined;
    // What is full again in a minute is not "now" for whoever waits for it.
    const seconds = Math.ceil((renewsAt - Date.now()) / 1000);
    return (
      <>
        {words.renews}{' '}
        {seconds > 0 && seconds < 60 ? (
          new Intl.RelativeTimeFormat(tag).format(seconds, 'second')
        ) : (
          <Moment at={renewsAt} />
        )}
      </>
    );
  }
}
