import { useState } from 'react';
import type { ModelStatus, StatusDay } from '#contract/status';
import { durationInWords, shareInWords } from '../design/amounts.ts';
import { useLanguageTag, useListed } from '../language/language.tsx';
import { type StatusWords } from '../language/en/status.ts';
import { useStatusWords } from '../language/status-words.ts';

const slot = 8;
const barHeight = 30;
const speedHeight = 20;

/** A bar for each of 90 days: whether the model was there, and below how soon it began to answer. */
export function DayBars({ model }: { readonly model: ModelStatus }) {
  const words = useStatusWords();
  const tag = useLanguageTag();
  const listed = useListed();
  const [pointed, setPointed] = useState<StatusDay>();
  const { days } = model;
  const slowest = Math.max(1, ...days.map(({ firstTokenMs }) => firstTokenMs ?? 0));
  const width = days.length * slot;
  const troubled = days.filter((day) => isTroubled(gradeOf(day)));
  return (
    <div>
      <svg
        viewBox={`0 0 ${width} ${barHeight + speedHeight + 4}`}
        preserveAspectRatio="none"
        className="h-14 w-full"
        aria-hidden="true"
        onMouseLeave={() => setPointed(undefined)}
      >
        {days.map((day, index) => (
          <g
            key={day.day}
            transform={`translate(${index * slot} 0)`}
            onMouseEnter={() => setPointed(day)}
            className={pointed !== undefined && pointed !== day ? 'opacity-60' : ''}
          >
            <rect width={slot} height={barHeight + speedHeight + 4} className="fill-transparent" />
            <UptimeBar day={day} />
            <SpeedBar day={day} slowest={slowest} />
          </g>
        ))}
      </svg>
      {/* The bars run from left to right in every language, and so do the words below them. */}
      <p
        dir="ltr"
        className="mt-1 flex justify-between gap-3 text-[0.8125rem] text-ink-faint"
        aria-hidden="true"
      >
        {pointed === undefined ? (
          <>
            <span>{words.daysAgo}</span>
            <span>{words.today}</span>
          </>
        ) : (
          <span dir="auto" className="text-ink-soft">
            {dayInWords(pointed, words, tag, listed)}
          </span>
        )}
      </p>
      <ul className="sr-only" aria-label={words.uptimeRow}>
        {troubled.length === 0 && <li>{words.noTrouble}</li>}
        {troubled.map((day) => (
          <li key={day.day}>{dayInWords(day, words, tag, listed)}</li>
        ))}
      </ul>
    </div>
  );
}

/** The same days without their speed, small enough for a line. */
export function DayLine({
  days,
  className,
}: {
  readonly days: readonly StatusDay[];
  readonly className: string;
}) {
  return (
    <svg
      viewBox={`0 0 ${days.length * slot} ${barHeight}`}
      preserveAspectRatio="none"
      className={`h-4 w-full ${className}`}
      aria-hidden="true"
    >
      {days.map((day, index) => (
        <g key={day.day} transform={`translate(${index * slot} 0)`}>
          <UptimeBar day={day} />
        </g>
      ))}
    </svg>
  );
}

/** Trouble is lower as well as of another colour: not everybody tells colours apart. */
function UptimeBar({ day }: { readonly day: StatusDay }) {
  const { look, share } = grades[gradeOf(day)];
  const height = barHeight * share;
  return <rect x={1} y={barHeight - height} width={slot - 2.5} height={height} rx={1} className={look} />;
}

function SpeedBar({ day, slowest }: { readonly day: StatusDay; readonly slowest: number }) {
  if (day.firstTokenMs === null) return null;
  const height = Math.max(1, (day.firstTokenMs / slowest) * speedHeight);
  return <rect x={1} y={barHeight + 4} width={slot - 2.5} height={height} className="fill-edge opacity-45" />;
}

type Grade = 'unwatched' | 'good' | 'doubtful' | 'bad';

const grades: Readonly<Record<Grade, { readonly look: string; readonly share: number }>> = {
  unwatched: { look: 'fill-hairline', share: 0.35 },
  good: { look: 'fill-good', share: 1 },
  doubtful: { look: 'fill-wait', share: 0.75 },
  bad: { look: 'fill-danger', share: 0.5 },
};

function gradeOf({ up, failed }: StatusDay): Grade {
  if (up === null) return 'unwatched';
  if (up < 0.95 || (failed ?? 0) > 0.25) return 'bad';
  return up < 0.995 || (failed ?? 0) > 0.05 ? 'doubtful' : 'good';
}

function isTroubled(grade: Grade): boolean {
  return grade === 'doubtful' || grade === 'bad';
}

function dayInWords(
  { day, up, watched, failed, firstTokenMs }: StatusDay,
  words: StatusWords,
  tag: string,
  listed: (facts: readonly string[]) => string,
): string {
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day));
  if (up === null) return `${date}: ${words.day.unwatched}`;
  const facts = [words.day.up(shareInWords(up, tag, 2))];
  if (failed !== null && failed > 0) facts.push(words.day.failed(shareInWords(failed, tag, 1)));
  if (firstTokenMs !== null) facts.push(words.day.firstToken(durationInWords(firstTokenMs, tag)));
  if (watched < 0.95) facts.push(words.day.watched(shareInWords(watched, tag)));
  return `${date}: ${listed(facts)}`;
}
