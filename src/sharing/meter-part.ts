import type { Limits } from '#vocabulary/limits';
import type { Claim } from './meter.ts';

/** What can be limited, as gateways share it out: the three budgets are one, and the tightest of them counts. */
export const amountNames = ['requests', 'tokens', 'atOnce', 'cost'] as const;
export type AmountName = (typeof amountNames)[number];
export type Amounts = Record<AmountName, number>;

/** What this gateway may take of the limits of one meter without asking the others, and what it has taken. */
export class MeterPart {
  /** A meter that was forgotten and is used again counts from nothing; by this the others know. */
  readonly epoch: number;
  /** The limits with which it was last asked for. */
  limits: Limits = {};
  /** Since the beginning of the epoch; less when less was used than had been taken. */
  readonly taken = { requests: 0, tokens: 0, cost: 0 };
  readonly held: Amounts = nothing();
  /** What the others were told that it would like to hold, less what it has taken since. */
  asked: Amounts = nothing();
  isTold = false;
  changedMs = 0;
  /** Requests that wait for a larger part. */
  readonly waiting = new Set<Claim>();
  hunger = 0;

  constructor(epoch: number) {
    this.epoch = epoch;
  }

  /** The first request of all is not held up; the others hear of it. */
  mayTake(claim: Claim): boolean {
    if (!this.isTold && this.taken.requests === 0) return true;
    const wanted = this.wanted(claim);
    return amountNames.every((name) => wanted[name] === undefined || this.held[name] >= wanted[name]);
  }

  /** What a claim takes of each limit that there is. */
  wanted({ tokens, cost }: Claim): Partial<Amounts> {
    const { requestsPerMinute, tokensPerMinute, requestsAtOnce } = this.limits;
    const hasBudget = [this.limits.costPerDay, this.limits.costPerMonth, this.limits.costInTotal].some(
      (amount) => amount !== undefined,
    );
    return {
      ...(requestsPerMinute !== undefined && { requests: 1 }),
      ...(tokensPerMinute !== undefined && { tokens: Math.min(tokens, tokensPerMinute) }),
      ...(requestsAtOnce !== undefined && { atOnce: 1 }),
      ...(hasBudget && { cost }),
    };
  }

  take(claim: Claim): void {
    const wanted = this.wanted(claim);
    for (const name of amountNames) {
      this.held[name] = Math.max(0, this.held[name] - (wanted[name] ?? 0));
      this.asked[name] = Math.max(0, this.asked[name] - (wanted[name] ?? 0));
    }
    this.taken.requests += 1;
    this.taken.tokens += claim.tokens;
  }

  /** The place of a request that has ended can be taken again here; the rest goes back to all. */
  settle(claim: Claim, used: Claim): void {
    this.held.atOnce += 1;
    this.asked.atOnce += 1;
    this.taken.tokens += used.tokens - claim.tokens;
    this.taken.cost += used.cost;
  }

  /** What those who wait want together, and the largest piece of it. */
  demand(name: AmountName): { readonly wanted: number; readonly unit: number } {
    let wanted = 0;
    let unit = 1;
    for (const claim of this.waiting) {
      const amount = this.wanted(claim)[name] ?? 0;
      wanted += amount;
      unit = Math.max(unit, amount);
    }
    return { wanted, unit };
  }
}

export function nothing(): Amounts {
  return { requests: 0, tokens: 0, atOnce: 0, cost: 0 };
}
