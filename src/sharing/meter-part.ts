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
  /** Nobody is told of it, and it holds nothing: there are too many. */
  isAsleep = false;
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
    for (const name of amountNames) {
      const wanted = this.wanted(name, claim);
      if (wanted !== undefined && this.held[name] < wanted) return false;
    }
    return true;
  }

  /** What a claim takes of a limit, if there is one. */
  wanted(name: AmountName, { tokens, cost }: Claim): number | undefined {
    const { limits } = this;
    switch (name) {
      case 'requests':
        return limits.requestsPerMinute === undefined ? undefined : 1;
      case 'tokens':
        return limits.tokensPerMinute === undefined ? undefined : Math.min(tokens, limits.tokensPerMinute);
      case 'atOnce':
        return limits.requestsAtOnce === undefined ? undefined : 1;
      case 'cost':
        return (limits.costPerDay ?? limits.costPerMonth ?? limits.costInTotal) === undefined
          ? undefined
          : cost;
    }
  }

  take(claim: Claim): void {
    for (const name of amountNames) {
      const wanted = this.wanted(name, claim) ?? 0;
      this.held[name] = Math.max(0, this.held[name] - wanted);
      this.asked[name] = Math.max(0, this.asked[name] - wanted);
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
      const amount = this.wanted(name, claim) ?? 0;
      wanted += amount;
      unit = Math.max(unit, amount);
    }
    return { wanted, unit };
  }
}

export function nothing(): Amounts {
  return { requests: 0, tokens: 0, atOnce: 0, cost: 0 };
}
