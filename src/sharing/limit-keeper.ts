import type { Clock } from '#vocabulary/clock';
import { type AppliedLimits, type LimitName, limitNames, type Standing } from '#vocabulary/limits';
import { limitReached } from './limit-refusals.ts';
import { type Claim, type Counted, Meter } from './meter.ts';
import { rateHeaders } from './rate-headers.ts';
import { createSharedLimits, type SharedLimitsParts } from './shared-limits.ts';

/** What requests may still take, kept by the subjects of limits. Reserves before, settles exactly after. */
export interface LimitKeeper {
  /**
   * Throws a refusal when any limit has no room. Among several gateways it may take a moment, and then rejects with a
   * refusal. What is claimed is asked for only where something is limited.
   */
  reserve(applied: readonly AppliedLimits[], claimOf: () => Claim): Reservation | Promise<Reservation>;
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

export function createLimitKeeper(
  clock: Clock,
  others?: Omit<SharedLimitsParts, 'meter' | 'clock'>,
): LimitKeeper {
  const meters = new Map<string, Meter>();
  const shared = others && createSharedLimits({ ...others, meter: known, clock });

  return {
    reserve(applied, claimOf) {
      if (applied.length === 0) return unlimited;
      const claim = claimOf();
      const counted = applied.map((limits) => ({ applied: limits, meter: meterOf(limits) }));
      refuseShortage(counted, claim);
      if (shared === undefined || shared.mayTake(counted, claim)) return reserveNow(counted, claim);
      return shared.wait(counted, claim, () => {
        refuseShortage(counted, claim);
        return shared.mayTake(counted, claim) ? reserveNow(counted, claim) : undefined;
      });
    },
    begin(subject, spent) {
      const meter = known(subject);
      meter.day.begin(spent.day);
      meter.month.begin(spent.month);
      meter.total.begin(spent.total);
    },
    standing: (applied) => applied.flatMap((each) => standingOf(each, meterOf(each), clock.wallMs())),
  };

  function refuseShortage(counted: readonly Counted[], claim: Claim): void {
    for (const { applied, meter } of counted) {
      const shortage = meter.shortage(applied.limits, claim);
      if (shortage !== undefined) throw limitReached(applied, shortage, clock.wallMs());
    }
  }

  function reserveNow(counted: readonly Counted[], claim: Claim): Reservation {
    for (const { meter } of counted) meter.take(claim);
    shared?.took(counted, claim);
    const startedMs = clock.monotonicMs();
    return {
      headers: rateHeaders(counted),
      settle(used) {
        const seconds = (clock.monotonicMs() - startedMs) / 1000;
        for (const { meter } of counted) meter.settle(claim, used, seconds);
        shared?.settled(counted, claim, used);
      },
    };
  }

  function meterOf({ subject, modelId }: AppliedLimits): Meter {
    return known(meterName(subject, modelId));
  }

  function known(name: string): Meter {
    let meter = meters.get(name);
    if (meter === undefined) {
      if (meters.size >= maxMeters) forgetIdle();
      meter = new Meter(name, clock);
      meters.set(name, meter);
    }
    return meter;
  }

  function forgetIdle(): void {
    const wallMs = clock.wallMs();
    for (const [name, meter] of meters)
      if (
        meter.part === undefined &&
        meter.running === 0 &&
        meter.month.spent(wallMs) === 0 &&
        meter.total.spent(wallMs) === 0
      )
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
