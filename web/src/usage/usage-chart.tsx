import { useCallback, useState } from 'react';
import { useLanguageTag } from '../language/language.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import type { UsageDay } from './usage-totals.ts';

interface UsageChartProps {
  readonly days: readonly UsageDay[];
  readonly groups: readonly string[];
  readonly measureName: string;
}

/** Stacked bars by day. A picture for the eye; the same numbers are read out as a list for everybody else. */
export function UsageChart({ days, groups, measureName }: UsageChartProps) {
  const words = usePagesWords();
  const tag = useLanguageTag();
  const [width, setWidth] = useState(860);
  // Drawn as wide as it stands, so that its labels have the same size everywhere.
  const measured = useCallback((element: SVGSVGElement) => {
    const observer = new ResizeObserver(() => setWidth(Math.max(100, element.clientWidth - axisWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const [pointedDay, setPointedDay] = useState<UsageDay>();
  const numbers = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 });
  const dates = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const top = niceTop(Math.max(1, ...days.map(({ total }) => total)));
  const slot = width / Math.max(days.length, 1);
  const height = (amount: number) => (amount / top) * plotHeight;
  return (
    <figure>
      <figcaption className="mb-2 flex flex-wrap items-center gap-x-5 gap-y-1 text-[0.9375rem]">
        {groups.slice(0, shades.length).map((name, index) => (
          <span key={name} className="flex items-center gap-1.5 text-ink-soft">
            <span className={`size-2.5 rounded-xs ${shades[index]?.swatch}`} />
            {name}
          </span>
        ))}
        <span className="ms-auto text-ink-soft tabular-nums" aria-hidden="true">
          {pointedDay === undefined
            ? measureName
            : `${dates.format(Date.parse(pointedDay.day))}: ${numbers.format(pointedDay.total)}`}
        </span>
      </figcaption>
      <svg
        ref={measured}
        viewBox={`0 0 ${width + axisWidth} ${plotHeight + 26}`}
        className="h-[226px] w-full"
        aria-hidden="true"
        onMouseLeave={() => setPointedDay(undefined)}
      >
        {[0, 0.5, 1].map((share) => (
          <g key={share} transform={`translate(0 ${plotHeight * (1 - share) + 4})`}>
            <line x1={axisWidth} x2={width + axisWidth} className="stroke-hairline" strokeWidth={1} />
            <text
              x={axisWidth - 8}
              dy="0.32em"
              textAnchor="end"
              className="fill-ink-faint text-[11px] tabular-nums"
            >
              {numbers.format(top * share)}
            </text>
          </g>
        ))}
        {days.map((day, index) => (
          <g
            key={day.day}
            transform={`translate(${axisWidth + index * slot} 4)`}
            onMouseEnter={() => setPointedDay(day)}
          >
            <rect
              width={slot}
              height={plotHeight}
              className={pointedDay === day ? 'fill-sunken' : 'fill-transparent'}
            />
            <Bar day={day} slot={slot} height={height} />
            {index % labelEvery(days.length, width) === 0 && (
              <text
                x={slot / 2}
                y={plotHeight + 17}
                textAnchor="middle"
                className="fill-ink-faint text-[11px]"
              >
                {dates.format(Date.parse(day.day))}
              </text>
            )}
          </g>
        ))}
      </svg>
      <ul className="sr-only" aria-label={words.usage.chart(measureName)}>
        {days
          .filter(({ total }) => total > 0)
          .map((day) => (
            <li key={day.day}>{`${dates.format(Date.parse(day.day))}: ${numbers.format(day.total)}`}</li>
          ))}
      </ul>
    </figure>
  );
}

interface BarProps {
  readonly day: UsageDay;
  readonly slot: number;
  readonly height: (amount: number) => number;
}

function Bar({ day, slot, height }: BarProps) {
  const barWidth = Math.min(slot * 0.72, 34);
  let y = plotHeight;
  return day.amounts.map((amount, index) => {
    const size = height(amount);
    y -= size;
    return (
      <rect
        key={index}
        x={(slot - barWidth) / 2}
        y={y}
        width={barWidth}
        height={size}
        rx={Math.min(2, size / 2)}
        className={shades[Math.min(index, shades.length - 1)]?.bar}
      />
    );
  });
}

const axisWidth = 46;
const plotHeight = 200;
const shades = [
  { bar: 'fill-accent', swatch: 'bg-accent' },
  { bar: 'fill-wait', swatch: 'bg-wait' },
  { bar: 'fill-ink-faint', swatch: 'bg-ink-faint' },
  { bar: 'fill-danger', swatch: 'bg-danger' },
  { bar: 'fill-edge', swatch: 'bg-edge' },
];

function labelEvery(count: number, width: number): number {
  return Math.max(1, Math.ceil((count * 100) / width));
}

/** The next round number: 1, 2 or 5 times a power of ten. */
function niceTop(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= largest) ?? 10;
  return Math.max(2, step * power);
}
