import type { Clock, Timers } from '#vocabulary/clock';
import { type Demand, fairParts } from '#vocabulary/fair-parts';
import type { Peers, Topic } from '#vocabulary/peers';
import { Refusal } from '#vocabulary/refusal';
import { type Claim, type Counted, type Meter, type Moment, momentOf } from './meter.ts';
import { amountNames, type AmountName, MeterPart } from './meter-part.ts';
import { readToldMeters, type ToldMeter } from './told-meter.ts';

/**
 * The limits of a service with several gateways. What is left of a limit is shared out: each gateway that uses it holds
 * a part, of which it may take without asking. A part is given up before it is said and taken only after it was said
 * and the others were heard, so that they never take more together than there is, but for the first request that each
 * of them gets for a limit of which it held nothing. Whoever needs more than the part waits for the next news.
 */
export interface SharedLimits {
  /** Whether this gateway may take it of what it holds. */
  mayTake(counted: readonly Counted[], claim: Claim): boolean;
  took(counted: readonly Counted[], claim: Claim, nowMs: number): void;
  settled(counted: readonly Counted[], claim: Claim, used: Claim, nowMs: number): void;
  gaveBack(counted: readonly Counted[], claim: Claim, nowMs: number): void;
  /** By a request that had taken nothing. */
  spent(counted: Counted, cost: number, nowMs: number): void;
  /** Asks the others for a larger part until `attempt` gives something. Rejects with its refusal, or when it takes too long. */
  wait<T>(counted: readonly Counted[], claim: Claim, attempt: () => T | undefined): Promise<T>;
}

export interface SharedLimitsParts {
  readonly peers: Peers;
  readonly ownId: () => string;
  /** Made when first asked for. */
  readonly meter: (name: string) => Meter;
  readonly clock: Clock;
  readonly timers: Timers;
}

const longestWaitMs = 1_000;
/** What has not changed for so long has been heard by all. */
const quietMs = 5_000;
/**
 * Meters that are told, four times a second: about 1 MB. When there are more, those that nobody uses just now are put to
 * sleep: they hold nothing, and whoever needs one again waits for the news first.
 */
const maxTold = 2_000;
/** Of those that sleep so many are looked at each time, whether they can be forgotten. */
const lookedAt = 500;
/** Gateways of which it is remembered what they told, so that what they tell next is not counted twice. */
const maxRemembered = 64;

export function createSharedLimits(parts: SharedLimitsParts): SharedLimits {
  const { peers, clock, timers } = parts;
  /** Those in use here, by name; given up when everything is as if they had not been. */
  const active = new Map<string, Meter>();
  const asleep = new Map<string, Meter>();
  /** What the others told last, by meter. */
  let others = new Map<string, Map<string, ToldMeter>>();
  const remembered = new Map<string, ReadonlyMap<string, ToldMeter>>();
  let hasHeard = false;
  let epochs = 0;
  let heard = Promise.withResolvers<void>();

  const topic: Topic = { name: 'limits/1', tell, hear, lose };
  peers.join(topic);

  return {
    mayTake: (counted, claim) =>
      !isShared() || counted.every((each) => each.meter.part === undefined || partOf(each).mayTake(claim)),
    took(counted, claim, nowMs) {
      for (const each of counted) {
        const part = partOf(each);
        const isFirst = !part.isTold && part.taken.requests === 0;
        part.take(claim);
        part.changedMs = nowMs;
        if (isFirst && peers.count > 0) peers.hurry();
      }
    },
    settled,
    gaveBack(counted, claim, nowMs) {
      for (const { meter } of counted) if (meter.part !== undefined) meter.part.taken.requests -= 1;
      settled(counted, claim, { tokens: 0, cost: 0 }, nowMs);
    },
    spent(counted, cost, nowMs) {
      const part = partOf(counted);
      part.taken.cost += cost;
      part.changedMs = nowMs;
    },
    async wait(counted, claim, attempt) {
      for (const each of counted) partOf(each).waiting.add(claim);
      const untilMs = clock.monotonicMs() + longestWaitMs;
      try {
        for (;;) {
          peers.hurry();
          await nextNews(untilMs);
          const got = attempt();
          if (got !== undefined) return got;
          if (clock.monotonicMs() >= untilMs) throw inUseElsewhere();
        }
      } finally {
        for (const { meter } of counted) meter.part?.waiting.delete(claim);
      }
    },
  };

  function settled(counted: readonly Counted[], claim: Claim, used: Claim, nowMs: number): void {
    for (const { meter } of counted) {
      const { part } = meter;
      if (part === undefined) continue;
      part.settle(claim, used);
      part.changedMs = nowMs;
    }
  }

  /** Limits may have changed since it was last used. */
  function partOf({ applied, meter }: Counted): MeterPart {
    let { part } = meter;
    if (part === undefined) {
      part = new MeterPart(++epochs);
      meter.part = part;
      active.set(meter.name, meter);
    }
    if (part.isAsleep) {
      part.isAsleep = false;
      asleep.delete(meter.name);
      active.set(meter.name, meter);
    }
    part.limits = applied.limits;
    return part;
  }

  function isShared(): boolean {
    return peers.count > 0 && peers.isInTouch;
  }

  async function nextNews(untilMs: number): Promise<void> {
    const late = Promise.withResolvers<void>();
    using _timer = timers.after(Math.max(1, untilMs - clock.monotonicMs()), late.resolve);
    await Promise.race([heard.promise, late.promise]);
  }

  function tell(): unknown {
    const now = momentOf(clock);
    putToSleep(now);
    forgetSleepers(now);
    const told: ToldMeter[] = [];
    for (const [name, meter] of active) {
      const { part } = meter;
      if (part === undefined) continue;
      if (isQuiet(meter, part, now)) {
        active.delete(name);
        meter.part = undefined;
        continue;
      }
      part.hunger = part.waiting.size > 0 ? part.hunger + 1 : 0;
      part.isTold = true;
      for (const amount of amountNames) {
        part.asked[amount] = hasHeard ? fairPart(meter, part, amount, now) : 0;
        part.held[amount] = Math.min(part.held[amount], part.asked[amount]);
      }
      told.push(describe(meter, part, now));
    }
    return told;
  }

  /**
   * What it has taken was heard by all. When it is used again it counts from nothing, as one of which the others know:
   * there is no first request that need not ask.
   */
  function putToSleep(now: Moment): void {
    let surplus = active.size - maxTold;
    for (const [name, meter] of active) {
      if (surplus <= 0) return;
      const { part } = meter;
      if (part === undefined || meter.running > 0 || !isLeftAlone(part, now)) continue;
      const sleeping = new MeterPart(++epochs);
      sleeping.limits = part.limits;
      sleeping.isTold = true;
      sleeping.isAsleep = true;
      meter.part = sleeping;
      active.delete(name);
      asleep.set(name, meter);
      surplus -= 1;
    }
  }

  function forgetSleepers(now: Moment): void {
    let left = Math.min(lookedAt, asleep.size);
    for (const [name, meter] of asleep) {
      if (left-- <= 0) return;
      asleep.delete(name);
      if (meter.part !== undefined && !meter.isAsNew(meter.part.limits, now)) asleep.set(name, meter);
      else meter.part = undefined;
    }
  }

  function describe(meter: Meter, part: MeterPart, now: Moment): ToldMeter {
    return {
      ...meter.account(part.limits, now),
      epoch: part.epoch,
      taken: { ...part.taken },
      held: { ...part.asked },
      waiting: Object.fromEntries(amountNames.map((amount) => [amount, part.demand(amount)])),
      hunger: part.hunger,
    };
  }

  /** Half of what nobody waits for when only this gateway uses it, a third when one other does, and so on. */
  function fairPart(meter: Meter, part: MeterPart, amount: AmountName, now: Moment): number {
    const room = meter.room(part.limits, now)[amount];
    if (room === undefined) return 0;
    const demands: Demand[] = [
      { gatewayId: parts.ownId(), ...part.demand(amount), weight: 1, hunger: part.hunger },
    ];
    for (const [gatewayId, told] of others.get(meter.name) ?? []) {
      const demand = told.waiting[amount] ?? { wanted: 0, unit: 1 };
      demands.push({ gatewayId, ...demand, weight: 1, hunger: told.hunger });
    }
    return fairParts(room, demands, 1).get(parts.ownId()) ?? 0;
  }

  function hear(told: ReadonlyMap<string, unknown>): void {
    const moment = momentOf(clock);
    forgetOthers();
    others = new Map();
    for (const [gatewayId, value] of told) {
      const meters = readToldMeters(value);
      const before = remembered.get(gatewayId);
      for (const [name, now] of meters) {
        const meter = parts.meter(name);
        if (hasHeard) meter.takenElsewhere(now, changeOf(before?.get(name), now), moment);
        else meter.adopt(now, moment.monotonicMs);
        meter.elsewhere.running += now.running;
        meter.elsewhere.reserved += now.reserved;
        others.set(name, (others.get(name) ?? new Map<string, ToldMeter>()).set(gatewayId, now));
      }
      remembered.delete(gatewayId);
      remembered.set(gatewayId, meters);
    }
    for (const gatewayId of remembered.keys())
      if (remembered.size > maxRemembered) remembered.delete(gatewayId);
    hasHeard = true;
    for (const meter of active.values()) if (meter.part !== undefined) confirm(meter, meter.part, moment);
    tellWaiting();
  }

  /** What was asked for is ours as far as the others do not hold it. */
  function confirm(meter: Meter, part: MeterPart, now: Moment): void {
    const room = meter.room(part.limits, now);
    for (const amount of amountNames) {
      let free = room[amount] ?? 0;
      for (const told of others.get(meter.name)?.values() ?? []) free -= told.held[amount];
      part.held[amount] = Math.max(part.held[amount], Math.min(part.asked[amount], free));
    }
  }

  function lose(): void {
    forgetOthers();
    others = new Map();
    tellWaiting();
  }

  function forgetOthers(): void {
    for (const name of others.keys()) parts.meter(name).elsewhere = { running: 0, reserved: 0 };
  }

  function tellWaiting(): void {
    const told = heard;
    heard = Promise.withResolvers();
    told.resolve();
  }
}

/** Everything is as if it had not been used, and was so for a while. */
function isQuiet(meter: Meter, part: MeterPart, now: Moment): boolean {
  return isLeftAlone(part, now) && meter.isAsNew(part.limits, now);
}

function isLeftAlone({ waiting, changedMs }: MeterPart, now: Moment): boolean {
  return waiting.size === 0 && now.monotonicMs - changedMs > quietMs;
}

/** What was taken since it was last told. */
function changeOf(before: ToldMeter | undefined, now: ToldMeter): ToldMeter['taken'] {
  if (before === undefined || before.epoch !== now.epoch) return now.taken;
  return {
    requests: now.taken.requests - before.taken.requests,
    tokens: now.taken.tokens - before.taken.tokens,
    cost: now.taken.cost - before.taken.cost,
  };
}

function inUseElsewhere(): Refusal {
  return new Refusal(
    'rate_limit_exceeded',
    'What is left of your limits is just being used by other requests of yours. Try again after the time in Retry-After.',
    { retryAfterSeconds: 1 },
  );
}
