import type { Clock } from '#vocabulary/clock';
import type { AppliedLimits, LimitName, Limits } from '#vocabulary/limits';
import { Bucket } from './bucket.ts';
import { Budget } from './budget.ts';
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
}

/** Counts for one subject of limits. The limits themselves are told with every request, so that changes count at once. */
export class Meter {
  readonly name: string;
  readonly #clock: Clock;
  #requests: Bucket | undefined;
  #tokens: Bucket | undefined;
  readonly day: Budget;
  readonly month: Budget;
  readonly total: Budget;
  #running = 0;
  #meanSeconds = 5;
  /** What runs at other gateways, and what it has reserved of budgets. */
  elsewhere = { running: 0, reserved: 0 };
  /** What this gateway may take without asking the others; while it takes anything. */
  part: MeterPart | undefined;

  constructor(name: string, clock: Clock) {
    this.name = name;
    this.#clock = clock;
    const wallMs = clock.wallMs();
    this.day = new Budget('day', wallMs);
    this.month = new Budget('month', wallMs);
    this.total = new Budget('total', wallMs);
  }

  get running(): number {
    return this.#running;
  }

  shortage(limits: Limits, { tokens, cost }: Claim): Shortage | undefined {
    const now = this.#clock.monotonicMs();
    const { requestsPerMinute, tokensPerMinute, requestsAtOnce } = limits;
    const budgetShortage = this.#budgetShortage(limits, cost);
    if (budgetShortage !== undefined) return budgetShortage;
    if (requestsAtOnce !== undefined && this.#running + this.elsewhere.running >= requestsAtOnce) {
      const seconds = requestsAtOnce === 0 ? undefined : Math.ceil(this.#meanSeconds / requestsAtOnce);
      return { limit: 'requestsAtOnce', amount: requestsAtOnce, seconds };
    }
    const requests = this.#bucket('requests', requestsPerMinute, now);
    if (requests !== undefined && requestsPerMinute !== undefined && !requests.hasRoomFor(1, now))
      return {
        limit: 'requestsPerMinute',
        amount: requestsPerMinute,
        seconds: finite(requests.secondsUntil(1, now)),
      };
    const perMinute = this.#bucket('tokens', tokensPerMinute, now);
    if (perMinute !== undefined && tokensPerMinute !== undefined && !perMinute.hasRoomFor(tokens, now))
      return {
        limit: 'tokensPerMinute',
        amount: tokensPerMinute,
        seconds: finite(perMinute.secondsUntil(tokens, now)),
      };
    return undefined;
  }

  take({ tokens, cost }: Claim): void {
    const now = this.#clock.monotonicMs();
    this.#running++;
    this.#requests?.take(1, now);
    this.#tokens?.take(tokens, now);
    this.day.reserve(cost);
    this.month.reserve(cost);
    this.total.reserve(cost);
  }

  /** What was reserved and not used returns at once. */
  settle(claim: Claim, used: Claim, seconds: number): void {
    this.#running--;
    this.#meanSeconds += (seconds - this.#meanSeconds) * 0.2;
    this.#tokens?.take(used.tokens - claim.tokens, this.#clock.monotonicMs());
    const wallMs = this.#clock.wallMs();
    this.day.settle(claim.cost, used.cost, wallMs);
    this.month.settle(claim.cost, used.cost, wallMs);
    this.total.settle(claim.cost, used.cost, wallMs);
  }

  /** What is left of requests and tokens, and the seconds until all of it is there again. */
  remaining(limits: Limits): {
    readonly requests: { readonly left: number; readonly seconds: number } | undefined;
    readonly tokens: { readonly left: number; readonly seconds: number } | undefined;
  } {
    const now = this.#clock.monotonicMs();
    const tell = (bucket: Bucket | undefined, amount: number | undefined) =>
      bucket === undefined || amount === undefined
        ? undefined
        : { left: Math.max(0, Math.floor(bucket.left(now))), seconds: bucket.secondsUntil(amount, now) };
    return {
      requests: tell(this.#bucket('requests', limits.requestsPerMinute, now), limits.requestsPerMinute),
      tokens: tell(this.#bucket('tokens', limits.tokensPerMinute, now), limits.tokensPerMinute),
    };
  }

  /** What nobody has taken, as far as is known, of each limit that there is. */
  room(limits: Limits): Partial<Amounts> {
    const now = this.#clock.monotonicMs();
    const { requestsPerMinute, tokensPerMinute, requestsAtOnce } = limits;
    const requests = this.#bucket('requests', requestsPerMinute, now)?.left(now);
    const tokens = this.#bucket('tokens', tokensPerMinute, now)?.left(now);
    const cost = Math.min(...this.#budgets(limits).map(({ amount, committed }) => amount - committed));
    return {
      ...(requests !== undefined && { requests }),
      ...(tokens !== undefined && { tokens }),
      ...(requestsAtOnce !== undefined && {
        atOnce: requestsAtOnce - this.#running - this.elsewhere.running,
      }),
      ...(cost !== Infinity && { cost }),
    };
  }

  /** What other gateways are told. */
  account(limits: Limits): Pick<ToldMeter, 'name' | 'running' | 'reserved' | 'perMinute' | 'left' | 'spent'> {
    const { requestsPerMinute, tokensPerMinute } = limits;
    const { requests = 0, tokens = 0 } = this.room(limits);
    const wallMs = this.#clock.wallMs();
    return {
      name: this.name,
      running: this.#running,
      reserved: this.day.reserved,
      perMinute: { requests: requestsPerMinute ?? null, tokens: tokensPerMinute ?? null },
      left: { requests, tokens },
      spent: {
        day: this.day.spent(wallMs),
        month: this.month.spent(wallMs),
        total: this.total.spent(wallMs),
      },
    };
  }

  /** Another gateway has taken something. */
  takenElsewhere({ perMinute }: ToldMeter, { requests, tokens, cost }: ToldMeter['taken']): void {
    const now = this.#clock.monotonicMs();
    this.#bucket('requests', perMinute.requests ?? undefined, now)?.take(requests, now);
    this.#bucket('tokens', perMinute.tokens ?? undefined, now)?.take(tokens, now);
    const wallMs = this.#clock.wallMs();
    for (const budget of [this.day, this.month, this.total]) budget.spendElsewhere(cost, wallMs);
  }

  /** What another gateway knows, for one that has just started and knows nothing. */
  adopt({ perMinute, left, spent }: ToldMeter): void {
    const now = this.#clock.monotonicMs();
    this.#bucket('requests', perMinute.requests ?? undefined, now)?.lower(left.requests, now);
    this.#bucket('tokens', perMinute.tokens ?? undefined, now)?.lower(left.tokens, now);
    this.day.begin(spent.day);
    this.month.begin(spent.month);
    this.total.begin(spent.total);
  }

  /** Nothing runs, and what was taken of a minute has grown back. */
  isAsNew({ requestsPerMinute, tokensPerMinute, ...limits }: Limits): boolean {
    const { requests = 0, tokens = 0 } = this.room({ ...limits, requestsPerMinute, tokensPerMinute });
    return this.#running === 0 && requests >= (requestsPerMinute ?? 0) && tokens >= (tokensPerMinute ?? 0);
  }

  #budgetShortage(limits: Limits, cost: number): Shortage | undefined {
    const wallMs = this.#clock.wallMs();
    return (
      this.#shortageOf('costPerDay', limits.costPerDay, this.day, cost, wallMs) ??
      this.#shortageOf('costPerMonth', limits.costPerMonth, this.month, cost, wallMs) ??
      this.#shortageOf('costInTotal', limits.costInTotal, this.total, cost, wallMs)
    );
  }

  #shortageOf(
    limit: LimitName,
    amount: number | undefined,
    budget: Budget,
    cost: number,
    wallMs: number,
  ): Shortage | undefined {
    if (amount === undefined) return undefined;
    if (budget.committed(wallMs) + this.elsewhere.reserved + cost <= amount) return undefined;
    const renewsAt = budget.renewsAt(wallMs);
    const seconds = renewsAt === undefined ? undefined : Math.ceil((renewsAt - wallMs) / 1000);
    return { limit, amount, seconds };
  }

  /** Those that there are, with what was spent and what may still be. */
  #budgets(limits: Limits) {
    const wallMs = this.#clock.wallMs();
    const budgets = [
      ['costPerDay', this.day],
      ['costPerMonth', this.month],
      ['costInTotal', this.total],
    ] as const;
    return budgets.flatMap(([limit, budget]) => {
      const amount = limits[limit];
      if (amount === undefined) return [];
      return [{ limit, amount, budget, committed: budget.committed(wallMs) + this.elsewhere.reserved }];
    });
  }

  #bucket(kind: 'requests' | 'tokens', perMinute: number | undefined, now: number): Bucket | undefined {
    if (perMinute === undefined) return undefined;
    const known = kind === 'requests' ? this.#requests : this.#tokens;
    if (known !== undefined) {
      known.resize(perMinute, now);
      return known;
    }
    const fresh = new Bucket(perMinute, now);
    if (kind === 'requests') this.#requests = fresh;
    else this.#tokens = fresh;
    return fresh;
  }
}

function finite(seconds: number): number | undefined {
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}
