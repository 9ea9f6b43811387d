import type { Clock } from '#vocabulary/clock';
import type { AppliedLimits, LimitName, Limits } from '#vocabulary/limits';
import { Bucket } from './bucket.ts';
import { Spent } from './budget.ts';
import type { Amounts, MeterPart } from './meter-part.ts';
import type { ToldMeter } from './told-meter.ts';

/** What a request will take at most, as far as can be said beforehand. */
export interface Claim {
  readonly tokens: number;
  readonly cost: number;
}

/** Limits that apply to a request, and what counts for them. */
export interface Counted {
  readonly applied: AppliedLimits;
  readonly meter: Meter;
}

/** Why a request cannot go ahead now. */
export interface Shortage {
  readonly limit: LimitName;
  readonly amount: number;
  /** Until it is worth another try; undefined: not before somebody raises the limit. */
  readonly seconds: number | undefined;
  /** Where a budget is short: what the request may cost, what is not spent, and what of that others have reserved. */
  readonly budget?: { readonly cost: number; readonly unspent: number; readonly reserved: number };
}

/** One moment by both clocks, read once for everything that is decided in it. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export function momentOf(clock: Clock): Moment {
  return { monotonicMs: clock.monotonicMs(), wallMs: clock.wallMs() };
}

/** What is limited by the minute. */
export type RateKind = 'requests' | 'tokens';

/** Counts for one subject of limits. The limits themselves are told with every request, so that changes count at once. */
export class Meter {
  readonly name: string;
  #requests: Bucket | undefined;
  #tokens: Bucket | undefined;
  readonly spent: Spent;
  /** Of each budget, by what runs. */
  #reserved = 0;
  #running = 0;
  #meanSeconds = 5;
  /** Somebody limits the cost, so that what was spent must be remembered. */
  #hasBudget = false;
  /** What runs at other gateways, and what it has reserved of budgets. */
  elsewhere = { running: 0, reserved: 0 };
  /** What this gateway may take without asking the others; while it takes anything. */
  part: MeterPart | undefined;

  constructor(name: string, wallMs: number) {
    this.name = name;
    this.spent = new Spent(wallMs);
  }

  get running(): number {
    return this.#running;
  }

  /** Of several the one that lasts longest. */
  shortage(limits: Limits, { tokens, cost }: Claim, now: Moment): Shortage | undefined {
    this.#hasBudget ||= (limits.costPerDay ?? limits.costPerMonth ?? limits.costInTotal) !== undefined;
    const { monotonicMs } = now;
    const requests = this.rate('requests', limits, monotonicMs);
    let shortage = longer(this.#budgetShortage(limits, cost, now.wallMs), this.#crowd(limits));
    shortage = longer(shortage, rateShortage('requestsPerMinute', requests, 1, monotonicMs));
    const words = this.rate('tokens', limits, monotonicMs);
    return longer(shortage, rateShortage('tokensPerMinute', words, tokens, monotonicMs));
  }

  #crowd({ requestsAtOnce }: Limits): Shortage | undefined {
    if (requestsAtOnce === undefined || this.#running + this.elsewhere.running < requestsAtOnce)
      return undefined;
    const seconds = requestsAtOnce === 0 ? undefined : Math.ceil(this.#meanSeconds / requestsAtOnce);
    return { limit: 'requestsAtOnce', amount: requestsAtOnce, seconds };
  }

  take({ tokens, cost }: Claim, nowMs: number): void {
    this.#running++;
    this.#requests?.take(1, nowMs);
    this.#tokens?.take(tokens, nowMs);
    this.#reserved += cost;
  }

  /** What was reserved and not used returns at once. */
  settle(claim: Claim, used: Claim, seconds: number, { monotonicMs, wallMs }: Moment): void {
    this.#running--;
    this.#meanSeconds += (seconds - this.#meanSeconds) * 0.2;
    this.#tokens?.take(used.tokens - claim.tokens, monotonicMs);
    this.#reserved = this.#running === 0 ? 0 : this.#reserved - claim.cost;
    this.spent.add(used.cost, wallMs);
  }

  giveBack({ tokens, cost }: Claim, nowMs: number): void {
    this.#running--;
    this.#requests?.take(-1, nowMs);
    this.#tokens?.take(-tokens, nowMs);
    this.#reserved = this.#running === 0 ? 0 : this.#reserved - cost;
  }

  /** Undefined where it is not limited. */
  rate(kind: RateKind, limits: Limits, nowMs: number): Bucket | undefined {
    const isOfRequests = kind === 'requests';
    const perMinute = isOfRequests ? limits.requestsPerMinute : limits.tokensPerMinute;
    if (perMinute === undefined) return undefined;
    const known = isOfRequests ? this.#requests : this.#tokens;
    if (known !== undefined) {
      known.resize(perMinute, nowMs);
      return known;
    }
    const fresh = new Bucket(perMinute, nowMs);
    if (isOfRequests) this.#requests = fresh;
    else this.#tokens = fresh;
    return fresh;
  }

  /** What nobody has taken, as far as is known, of each limit that there is. */
  room(limits: Limits, { monotonicMs, wallMs }: Moment): Partial<Amounts> {
    const { requestsAtOnce, costPerDay = Infinity, costPerMonth = Infinity, costInTotal = Infinity } = limits;
    const requests = this.rate('requests', limits, monotonicMs)?.left(monotonicMs);
    const tokens = this.rate('tokens', limits, monotonicMs)?.left(monotonicMs);
    const { day, month, total } = this.spent.at(wallMs);
    const unspent = Math.min(costPerDay - day, costPerMonth - month, costInTotal - total);
    return {
      ...(requests !== undefined && { requests }),
      ...(tokens !== undefined && { tokens }),
      ...(requestsAtOnce !== undefined && {
        atOnce: requestsAtOnce - this.#running - this.elsewhere.running,
      }),
      ...(unspent !== Infinity && { cost: unspent - this.#allReserved }),
    };
  }

  /** What other gateways are told. */
  account(
    limits: Limits,
    now: Moment,
  ): Pick<ToldMeter, 'name' | 'running' | 'reserved' | 'perMinute' | 'left' | 'spent'> {
    const { requestsPerMinute, tokensPerMinute } = limits;
    const { requests = 0, tokens = 0 } = this.room(limits, now);
    const { day, month, total } = this.spent.at(now.wallMs);
    return {
      name: this.name,
      running: this.#running,
      reserved: this.#reserved,
      perMinute: { requests: requestsPerMinute ?? null, tokens: tokensPerMinute ?? null },
      left: { requests, tokens },
      spent: { day, month, total },
    };
  }

  /** Another gateway has taken something. */
  takenElsewhere(
    told: ToldMeter,
    { requests, tokens, cost }: ToldMeter['taken'],
    { monotonicMs, wallMs }: Moment,
  ): void {
    const limits = ratesOf(told);
    this.rate('requests', limits, monotonicMs)?.take(requests, monotonicMs);
    this.rate('tokens', limits, monotonicMs)?.take(tokens, monotonicMs);
    this.spent.add(cost, wallMs);
  }

  /** What another gateway knows, for one that has just started and knows nothing. */
  adopt(told: ToldMeter, nowMs: number): void {
    const limits = ratesOf(told);
    this.rate('requests', limits, nowMs)?.lower(told.left.requests, nowMs);
    this.rate('tokens', limits, nowMs)?.lower(told.left.tokens, nowMs);
    this.spent.begin(told.spent);
  }

  /** What was spent of a budget before this process counted. */
  begin(spent: ToldMeter['spent']): void {
    this.#hasBudget = true;
    this.spent.begin(spent);
  }

  isIdle(): boolean {
    return this.#running === 0 && this.part === undefined;
  }

  /** A new one in its place would say the same. */
  countsNothing(nowMs: number): boolean {
    const isFull = (bucket: Bucket | undefined) => bucket?.isFull(nowMs) ?? true;
    return this.isIdle() && !this.#hasBudget && isFull(this.#requests) && isFull(this.#tokens);
  }

  /** Nothing runs, and what was taken of a minute has grown back. */
  isAsNew(limits: Limits, now: Moment): boolean {
    const { requests = 0, tokens = 0 } = this.room(limits, now);
    const { requestsPerMinute = 0, tokensPerMinute = 0 } = limits;
    return this.#running === 0 && requests >= requestsPerMinute && tokens >= tokensPerMinute;
  }

  get #allReserved(): number {
    return this.#reserved + this.elsewhere.reserved;
  }

  #budgetShortage(limits: Limits, cost: number, wallMs: number): Shortage | undefined {
    const { costPerDay, costPerMonth, costInTotal } = limits;
    const spent = this.spent.at(wallMs);
    const day = this.#shortageOf('costPerDay', costPerDay, spent.day, cost, spent.dayEndsAt - wallMs);
    const monthLeftMs = spent.monthEndsAt - wallMs;
    const month = this.#shortageOf('costPerMonth', costPerMonth, spent.month, cost, monthLeftMs);
    const total = this.#shortageOf('costInTotal', costInTotal, spent.total, cost, undefined);
    return longer(longer(day, month), total);
  }

  #shortageOf(
    limit: LimitName,
    amount: number | undefined,
    spent: number,
    cost: number,
    renewsInMs: number | undefined,
  ): Shortage | undefined {
    if (amount === undefined) return undefined;
    const unspent = amount - spent;
    if (this.#allReserved + cost <= unspent) return undefined;
    let seconds: number | undefined;
    if (cost <= unspent) seconds = Math.ceil(this.#meanSeconds);
    else if (cost <= amount && renewsInMs !== undefined) seconds = Math.ceil(renewsInMs / 1000);
    return { limit, amount, seconds, budget: { cost, unspent, reserved: this.#allReserved } };
  }
}

export function longer(one: Shortage | undefined, other: Shortage | undefined): Shortage | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return (other.seconds ?? Infinity) > (one.seconds ?? Infinity) ? other : one;
}

function rateShortage(
  limit: LimitName,
  bucket: Bucket | undefined,
  wanted: number,
  nowMs: number,
): Shortage | undefined {
  if (bucket === undefined || bucket.hasRoomFor(wanted, nowMs)) return undefined;
  return { limit, amount: bucket.perMinute, seconds: finite(bucket.secondsUntil(wanted, nowMs)) };
}

function ratesOf({ perMinute }: ToldMeter): Limits {
  return {
    requestsPerMinute: perMinute.requests ?? undefined,
    tokensPerMinute: perMinute.tokens ?? undefined,
  };
}

function finite(seconds: number): number | undefined {
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}
