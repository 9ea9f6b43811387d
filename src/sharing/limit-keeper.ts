import type { Clock } from '#vocabulary/clock';
import { type AppliedLimits, type LimitName, limitNames, type Standing } from '#vocabulary/limits';
import { limitReached } from './limit-refusals.ts';
import { type Claim, Meter } from './meter.ts';
import { rateHeaders } from './rate-headers.ts';

/** What requests may still take, kept by the subjects of limits. Reserves before, settles exactly after. */
export interface LimitKeeper {
  /** Throws a refusal when any limit has no room. */
  reserve(applied: readonly AppliedLimits[], claim: Claim): Reservation;
  /** What the books say was spent before this process counted. */
  begin(
    subject: string,
    spent: { readonly day: number; readonly month: number; readonly total: number },
  ): void;
  standing(applied: readonly AppliedLimits[]): readonly Standing[];
}

export interface Reservation {
  /** OpenAI's headers about what is left, name after name; empty when nothing is limited by the minute. */
  readonly headers: readonly string[];
  /** Called once, whatever happened. */
  settle(used: Claim): void;
}

/** Meters kept; beyond this, idle ones without a budget of their own are given up. */
const maxMeters = 50_000;

export function createLimitKeeper(clock: Clock): LimitKeeper {
  const meters = new Map<string, Meter>();

  return {
    reserve(applied, claim) {
      if (applied.length === 0) return unlimited;
      const counted = applied.map((limits) => ({ applied: limits, meter: meterOf(limits) }));
      for (const { applied: each, meter } of counted) {
        const shortage = meter.shortage(each.limits, claim);
        if (shortage !== undefined) throw limitReached(each, shortage, clock.wallMs());
      }
      for (const { meter } of counted) meter.take(claim);
      const startedMs = clock.monotonicMs();
      return {
        headers: rateHeaders(counted),
        settle(used) {
          const seconds = (clock.monotonicMs() - startedMs) / 1000;
          for (const { meter } of counted) meter.settle(claim, used, seconds);
        },
      };
    },
    begin(subject, spent) {
      const meter = known(subject);
      meter.day.begin(spent.day);
      meter.month.begin(spent.month);
      meter.total.begin(spent.total);
    },
    standing: (applied) => applied.flatMap((each) => standingOf(each, meterOf(each), clock.wallMs())),
  };

  function meterOf({ subject, modelId }: AppliedLimits): Meter {
    return known(meterName(subject, modelId));
  }

  function known(name: string): Meter {
    let meter = meters.get(name);
    if (meter === undefined) {
      if (meters.size >= maxMeters) forgetIdle();
      meter = new Meter(clock);
      meters.set(name, meter);
    }
    return meter;
  }

  function forgetIdle(): void {
    const wallMs = clock.wallMs();
    for (const [name, meter] of meters)
      if (meter.running === 0 && meter.month.spent(wallMs) === 0 && meter.total.spent(wallMs) === 0)
        meters.delete(name);
  }
}

export function meterName(subject: string, modelId: string | undefined): string {
  return modelId === undefined ? subject : `${subject} ${modelId}`;
}

const unlimited: Reservation = { headers: [], settle: () => {} };

function standingOf(
  { scope, subject, modelId, limits }: AppliedLimits,
  meter: Meter,
  wallMs: number,
): Standing[] {
  const { requests, tokens } = meter.remaining(limits);
  const whole = (left: { readonly seconds: number } | undefined) =>
    left === undefined ? undefined : wallMs + left.seconds * 1000;
  const used: Record<LimitName, { readonly used: number; readonly renewsAt: number | undefined }> = {
    requestsPerMinute: { used: taken(limits.requestsPerMinute, requests), renewsAt: whole(requests) },
    tokensPerMinute: { used: taken(limits.tokensPerMinute, tokens), renewsAt: whole(tokens) },
    requestsAtOnce: { used: meter.running, renewsAt: undefined },
    costPerDay: { used: meter.day.spent(wallMs), renewsAt: meter.day.renewsAt(wallMs) },
    costPerMonth: { used: meter.month.spent(wallMs), renewsAt: meter.month.renewsAt(wallMs) },
    costInTotal: { used: meter.total.spent(wallMs), renewsAt: undefined },
  };
  return limitNames.flatMap((limit) => {
    const amount = limits[limit];
    return amount === undefined ? [] : [{ scope, subject, modelId, limit, amount, ...used[limit] }];
  });
}

function taken(amount = 0, remaining?: { readonly left: number }): number {
  return amount - (remaining?.left ?? amount);
}
