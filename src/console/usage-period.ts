import { Refusal } from '#vocabulary/refusal';

const dayMs = 86_400_000;
const defaultDays = 30;
const maxDays = 800;

export interface UsagePeriod {
  /** Both days included, UTC. */
  readonly from: string;
  readonly to: string;
  readonly since: number;
  /** Exclusive. */
  readonly until: number;
}

/** The days somebody asked for, or the last thirty. */
export function readPeriod(
  period: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): UsagePeriod {
  const to = period.to ?? dayOf(now);
  const from = period.from ?? dayOf(startOf(to, 'to') - (defaultDays - 1) * dayMs);
  const since = startOf(from, 'from');
  const until = startOf(to, 'to') + dayMs;
  if (until <= since || until - since > maxDays * dayMs) {
    throw new Refusal('invalid_parameter', `Choose a period of 1 to ${maxDays} days.`, { param: 'from' });
  }
  return { from, to, since, until };
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

function startOf(day: string, param: string): number {
  const moment = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(moment)) {
    throw new Refusal('invalid_parameter', 'There is no such day. Write it like 2026-01-31.', { param });
  }
  return moment;
}
