import { useState } from 'react';
import { useLanguageTag } from '../../language/language.tsx';
import { useOverviewWords } from '../../language/overview-words.ts';

export interface ChartSeries {
  /** What the lower and the upper part of each bar stand for. */
  readonly names: readonly [string] | readonly [string, string];
  readonly tones: readonly ChartTone[];
}

export type ChartTone = 'accent' | 'faint' | 'wait' | 'danger';

export interface ChartBar {
  readonly at: number;
  /** From the bottom up. */
  readonly amounts: readonly number[];
  readonly words: string;
}

interface HistoryChartProps extends ChartSeries {
  readonly title: string;
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  readonly bars: readonly ChartBar[];
  /** The number at the top of the scale, in words. */
  readonly scale: (top: number) => string;
}

const width = 360;
const height = 96;

/** A small picture of many bars. Whoever cannot see it hears the same numbers as a list. */
export function HistoryChart({ title, names, tones, from, to, stepMs, bars, scale }: HistoryChartProps) {
  const tag = useLanguageTag();
  const { charts } = useOverviewWords();
  const [pointed, setPointed] = useState<ChartBar>();
  const isDaily = stepMs >= 86_400_000;
  const moments = new Intl.DateTimeFormat(
    tag,
    isDaily
      ? { day: 'numeric', month: 'short', timeZone: 'UTC' }
      : { hour: 'numeric', minute: '2-digit', hourCycle: 'h23' },
  );
  const slot = width / Math.max(1, Math.round((to - from) / stepMs));
  const largest = Math.max(0, ...bars.map(({ amounts }) => sum(amounts)));
  const top = niceTop(largest);
  // Axes without anything between them look broken.
  if (largest === 0)
    return (
      <figure className="min-w-0">
        <figcaption className="mb-1 text-[0.9375rem] font-[550]">{title}</figcaption>
        <p className="text-[0.9375rem] text-ink-soft">{charts.none}</p>
      </figure>
    );
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 flex items-baseline justify-between gap-3 text-[0.9375rem]">
        <span className="font-[550]">{title}</span>
        <span className="truncate text-sm text-ink-soft tabular-nums" aria-hidden="true">
          {pointed !== undefined && `${moments.format(pointed.at)}: ${pointed.words}`}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height + 16}`}
        className="w-full"
        aria-hidden="true"
        onMouseLeave={() => setPointed(undefined)}
      >
        {[0, 0.5, 1].map((share) => (
          <line
            key={share}
            x2={width}
            y1={height * share + 0.5}
            y2={height * share + 0.5}
            className="stroke-hairline"
          />
        ))}
        {bars.map((bar) => (
          <g
            key={bar.at}
            transform={`translate(${((bar.at - from) / stepMs) * slot} 0)`}
            onMouseEnter={() => setPointed(bar)}
          >
            <rect
              width={slot}
              height={height}
              className={pointed === bar ? 'fill-sunken' : 'fill-transparent'}
            />
            <Bar amounts={bar.amounts} tones={tones} slot={slot} top={top} />
          </g>
        ))}
        {/* Over the oldest: the newest bars are looked at. */}
        <text x={0} y={11} className="fill-ink-faint text-[11px]">
          {scale(top)}
        </text>
        <text x={0} y={height + 13} className="fill-ink-faint text-[11px]">
          {moments.format(from)}
        </text>
        <text x={width} y={height + 13} textAnchor="end" className="fill-ink-faint text-[11px]">
          {moments.format(isDaily ? to - stepMs : to)}
        </text>
      </svg>
      {names.length > 1 && (
        <p className="flex gap-4 text-[0.8125rem] text-ink-soft" aria-hidden="true">
          {names.map((name, index) => (
            <span key={name} className="flex items-center gap-1.5">
              <span className={`size-2 rounded-xs ${looks[tones[index] ?? 'accent'].swatch}`} />
              {name}
            </span>
          ))}
        </p>
      )}
      <ul className="sr-only" aria-label={title}>
        {bars.map((bar) => (
          <li key={bar.at}>{`${moments.format(bar.at)}: ${bar.words}`}</li>
        ))}
      </ul>
    </figure>
  );
}

interface BarProps {
  readonly amounts: readonly number[];
  readonly tones: readonly ChartTone[];
  readonly slot: number;
  readonly top: number;
}

function Bar({ amounts, tones, slot, top }: BarProps) {
  const barWidth = slot * 0.7;
  let y = height;
  return amounts.map((amount, index) => {
    // What is there at all can be seen.
    const size = amount === 0 ? 0 : Math.max(1.5, (amount / top) * height);
    y -= size;
    return (
      <rect
        key={index}
        x={(slot - barWidth) / 2}
        y={y}
        width={barWidth}
        height={size}
        rx={Math.min(1.5, size / 2)}
        className={looks[tones[index] ?? 'accent'].bar}
      />
    );
  });
}

const looks: Readonly<Record<ChartTone, { bar: string; swatch: string }>> = {
  accent: { bar: 'fill-accent', swatch: 'bg-accent' },
  faint: { bar: 'fill-edge opacity-50', swatch: 'bg-edge opacity-50' },
  wait: { bar: 'fill-wait', swatch: 'bg-wait' },
  danger: { bar: 'fill-danger', swatch: 'bg-danger' },
};

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** The next round number: 1, 2 or 5 times a power of ten. */
function niceTop(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(largest));
  return ([1, 2, 5, 10].find((factor) => factor * power >= largest) ?? 10) * power;
}
