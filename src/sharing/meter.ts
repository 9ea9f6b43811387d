import type { Clock } from '#vocabulary/clock';
import type { LimitName, Limits } from '#vocabulary/limits';
import { Bucket } from './bucket.ts';
import { Budget } from './budget.ts';

/** What a request will take at most, as far as can be said beforehand. */
export interface Claim {
  readonly tokens: number;
  readonly cost: number;
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
  readonly #clock: Clock;
  #requests: Bucket | undefined;
  #tokens: Bucket | undefined;
  readonly day: Budget;
  readonly month: Budget;
  readonly total: Budget;
  #running = 0;
  #meanSeconds = 5;

  constructor(clock: Clock) {
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
    if (requestsAtOnce !== undefined && this.#running >= requestsAtOnce) {
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
    for (const budget of [this.day, this.month, this.total]) budget.reserve(cost);
  }

  /** What was reserved and not used returns at once. */
  settle(claim: Claim, used: Claim, seconds: number): void {
    this.#running--;
    this.#meanSeconds += (seconds - this.#meanSeconds) * 0.2;
    this.#tokens?.take(used.tokens - claim.tokens, this.#clock.monotonicMs());
    const wallMs = this.#clock.wallMs();
    for (const budget of [this.day, this.month, this.total]) budget.settle(claim.cost, used.cost, wallMs);
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

  #budgetShortage(limits: Limits, cost: number): Shortage | undefined {
    const wallMs = this.#clock.wallMs();
    const budgets = [
      ['costPerDay', this.day],
      ['costPerMonth', this.month],
      ['costInTotal', this.total],
    ] as const;
    for (const [limit, budget] of budgets) {
      const amount = limits[limit];
      if (amount === undefined || budget.committed(wallMs) + cost <= amount) continue;
      const renewsAt = budget.renewsAt(wallMs);
      const seconds = renewsAt === undefined ? undefined : Math.ceil((renewsAt - wallMs) / 1000);
      return { limit, amount, seconds };
    }
    return undefined;
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
