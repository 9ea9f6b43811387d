import type { Clock } from '#vocabulary/clock';
import { type AppliedLimits, type LimitName, limitNames, type Standing } from '#vocabulary/limits';
import type { Bucket } from './bucket.ts';
import { limitReached } from './limit-refusals.ts';
import { type Claim, type Counted, longer, Meter, type Moment, momentOf, type Shortage } from './meter.ts';
import { rateHeaders } from './rate-headers.ts';
import { createSharedLimits, type SharedLimitsParts } from './shared-limits.ts';

/** What requests may still take, kept by the subjects of limits. Reserves before, settles exactly after. */
export interface LimitKeeper {
  /**
   * Throws a refusal when any limit has no room. Among several gateways it may take a moment, and then rejects with a
   * refusal. What is claimed is asked for only where something is limited. Either way `announce` is told OpenAI's
   * headers about what is left, where anything is limited by the minute. What was admitted before, by a gateway that
   * died, is counted and not refused.
   */
  reserve(
    applied: readonly AppliedLimits[],
    claimOf: () => Claim,
    announce: Announce,
    wasAdmitted?: boolean,
  ): Reservation | Promise<Reservation>;
  /** What a request has cost that began under other limits: budgets that were given meanwhile count it, too. */
  spendLate(began: readonly AppliedLimits[], applied: readonly AppliedLimits[], cost: number): void;
  /** What the books say was spent before this process counted. */
  begin(
    subject: string,
    spent: { readonly day: number; readonly month: number; readonly total: number },
  ): void;
  standing(applied: readonly AppliedLimits[]): readonly Standing[];
  /** OpenAI's headers about what is left, for an answer that takes nothing of it. */
  headers(applied: readonly AppliedLimits[]): readonly string[];
}

type Announce = (headers: readonly string[]) => void;

/** One of both is called, once, whatever happened. */
export interface Reservation {
  settle(used: Claim): void;
  /** Nobody was there to serve it: not even a request of the minute is gone. */
  giveBack(): void;
}

/**
 * Meters kept. Beyond this, idle ones that count nothing any more are given up, then those of addresses, the oldest
 * first: whoever has so many addresses has no need of the budget of one. People, keys and projects that spend are as
 * many as the books know.
 */
const maxMeters = 50_000;
/** Kept when some were given up, so that it is not done for every newcomer. */
const keptMeters = 40_000;

export function createLimitKeeper(
  clock: Clock,
  others?: Omit<SharedLimitsParts, 'meter' | 'clock'>,
): LimitKeeper {
  const meters = new Map<string, Meter>();
  let mostMeters = maxMeters;
  /** The meters of limits that were asked for before: the same list is told until something about limits changes. */
  let found = new WeakMap<readonly AppliedLimits[], readonly Counted[]>();
  const shared = others && createSharedLimits({ ...others, meter: meterOf, clock });

  return {
    reserve(applied, claimOf, announce, wasAdmitted = false) {
      if (applied.length === 0) return unlimited;
      const claim = claimOf();
      const counted = countedBy(applied);
      const now = momentOf(clock);
      if (wasAdmitted) return reserveAt(now, counted, claim, announce);
      refuseShortage(counted, claim, now, announce);
      if (shared === undefined || shared.mayTake(counted, claim))
        return reserveAt(now, counted, claim, announce);
      announce(rateHeaders(counted, now.monotonicMs));
      return shared.wait(counted, claim, () => {
        const later = momentOf(clock);
        refuseShortage(counted, claim, later, announce);
        return shared.mayTake(counted, claim) ? reserveAt(later, counted, claim, announce) : undefined;
      });
    },
    spendLate(began, applied, cost) {
      if (applied === began) return;
      const before = new Set(began.map(nameOf));
      const { wallMs, monotonicMs } = momentOf(clock);
      for (const counted of countedBy(applied)) {
        if (before.has(nameOf(counted.applied))) continue;
        counted.meter.spent.add(cost, wallMs);
        shared?.spent(counted, cost, monotonicMs);
      }
    },
    begin: (subject, spent) => meterOf(subject).begin(spent),
    standing(applied) {
      const now = momentOf(clock);
      return countedBy(applied).flatMap((each) => standingOf(each, now));
    },
    headers: (applied) => rateHeaders(countedBy(applied), clock.monotonicMs()),
  };

  function refuseShortage(counted: readonly Counted[], claim: Claim, now: Moment, announce: Announce): void {
    let worst: { readonly applied: AppliedLimits; readonly shortage: Shortage } | undefined;
    for (const { applied, meter } of counted) {
      const shortage = meter.shortage(applied.limits, claim, now);
      if (shortage !== undefined && longer(worst?.shortage, shortage) === shortage)
        worst = { applied, shortage };
    }
    if (worst === undefined) return;
    announce(rateHeaders(counted, now.monotonicMs));
    throw limitReached(worst.applied, worst.shortage, now.wallMs);
  }

  function reserveAt(
    now: Moment,
    counted: readonly Counted[],
    claim: Claim,
    announce: Announce,
  ): Reservation {
    const { monotonicMs } = now;
    for (const { meter } of counted) meter.take(claim, monotonicMs);
    shared?.took(counted, claim, monotonicMs);
    announce(rateHeaders(counted, monotonicMs));
    return {
      settle(used) {
        const end = momentOf(clock);
        const seconds = (end.monotonicMs - monotonicMs) / 1000;
        for (const { meter } of counted) meter.settle(claim, used, seconds, end);
        shared?.settled(counted, claim, used, end.monotonicMs);
      },
      giveBack() {
        const nowMs = clock.monotonicMs();
        for (const { meter } of counted) meter.giveBack(claim, nowMs);
        shared?.gaveBack(counted, claim, nowMs);
      },
    };
  }

  function countedBy(applied: readonly AppliedLimits[]): readonly Counted[] {
    let counted = found.get(applied);
    if (counted === undefined) {
      makeRoomFor(applied.map(nameOf));
      counted = applied.map((each) => ({ applied: each, meter: named(nameOf(each)) }));
      found.set(applied, counted);
    }
    return counted;
  }

  function meterOf(name: string): Meter {
    makeRoomFor([name]);
    return named(name);
  }

  function named(name: string): Meter {
    let meter = meters.get(name);
    if (meter === undefined) {
      meter = new Meter(name, clock.wallMs());
      meters.set(name, meter);
    }
    return meter;
  }

  /** Before any of them is made: what has just been made is idle too. */
  function makeRoomFor(names: readonly string[]): void {
    const missing = names.filter((name) => !meters.has(name)).length;
    if (missing === 0 || meters.size + missing <= mostMeters) return;
    const nowMs = clock.monotonicMs();
    for (const [name, meter] of meters) if (meter.countsNothing(nowMs)) meters.delete(name);
    for (const [name, meter] of meters) {
      if (meters.size <= keptMeters) break;
      if (name.includes('address:') && meter.isIdle()) meters.delete(name);
    }
    mostMeters = Math.max(maxMeters, 1.25 * meters.size);
    found = new WeakMap();
  }
}

function nameOf({ subject, modelId }: AppliedLimits): string {
  return meterName(subject, modelId);
}

export function meterName(subject: string, modelId: string | undefined): string {
  return modelId === undefined ? subject : `${subject} ${modelId}`;
}

const unlimited: Reservation = { settle: () => {}, giveBack: () => {} };

function standingOf({ applied, meter }: Counted, { monotonicMs, wallMs }: Moment): Standing[] {
  const { scope, subject, modelId, limits } = applied;
  const spent = meter.spent.at(wallMs);
  const used: Record<LimitName, { readonly used: number; readonly renewsAt: number | undefined }> = {
    requestsPerMinute: takenOf(meter.rate('requests', limits, monotonicMs)),
    tokensPerMinute: takenOf(meter.rate('tokens', limits, monotonicMs)),
    requestsAtOnce: { used: meter.running, renewsAt: undefined },
    costPerDay: { used: spent.day, renewsAt: spent.dayEndsAt },
    costPerMonth: { used: spent.month, renewsAt: spent.monthEndsAt },
    costInTotal: { used: spent.total, renewsAt: undefined },
  };
  return limitNames.flatMap((limit) => {
    const amount = limits[limit];
    return amount === undefined ? [] : [{ scope, subject, modelId, limit, amount, ...used[limit] }];
  });

  function takenOf(bucket: Bucket | undefined) {
    if (bucket === undefined) return { used: 0, renewsAt: undefined };
    const { perMinute } = bucket;
    return {
      used: perMinute - bucket.wholeLeft(monotonicMs),
      renewsAt: wallMs + bucket.secondsUntil(perMinute, monotonicMs) * 1000,
    };
  }
}
