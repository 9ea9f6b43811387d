import { WrongUse } from './command.ts';

const unitsMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

/** `90m`, `12h`, `30d`, `2w`, `1y`. */
export function readDurationMs(written: string): number {
  const [, count, unit] = /^(\d{1,6})([smhdwy])$/.exec(written.trim()) ?? [];
  const unitMs = unitsMs[unit ?? ''];
  if (count === undefined || unitMs === undefined || Number(count) === 0) {
    throw new WrongUse(`"${written}" is not a length of time. Write it like 12h, 30d, 2w or 1y.`);
  }
  return Number(count) * unitMs;
}

/** A date (its midnight in UTC), a full ISO time, or a length of time before or after now. */
export function readMoment(written: string, now: number, direction: 'past' | 'future'): number {
  const text = written.trim();
  if (/^\d{4}-\d{2}-\d{2}($|T)/.test(text)) {
    const moment = Date.parse(text);
    if (!Number.isNaN(moment)) return moment;
    throw new WrongUse(`"${written}" is not a date. Write it like 2026-11-01.`);
  }
  const lengthMs = readDurationMs(text);
  return direction === 'past' ? now - lengthMs : now + lengthMs;
}
