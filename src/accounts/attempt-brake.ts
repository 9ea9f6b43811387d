import { neighbourhoodOf } from '#vocabulary/address';
import type { Clock } from '#vocabulary/clock';
import { Refusal } from '#vocabulary/refusal';

/**
 * Slows guessing. Each failure is counted three times: for this account from this address (few are free), for the
 * address (some more), for the account (many: nobody shall lock others out). Beyond the free ones every failure
 * doubles the wait. Remembers at most 30,000 counters; the oldest is forgotten when there are more.
 */
export interface AttemptBrake {
  /** Refuses when it is too early to try again. */
  check(account: string, address: string): void;
  noteFailure(account: string, address: string): void;
  /** Takes one failure back, because callers note it before they know, and forgets those of this pair. */
  noteSuccess(account: string, address: string): void;
}

const maxCounters = 30_000;
const rules = {
  pair: { free: 5, longestMs: 15 * 60_000 },
  address: { free: 30, longestMs: 15 * 60_000 },
  account: { free: 100, longestMs: 60_000 },
} as const;

interface Counter {
  failures: number;
  blockedUntilMs: number;
}

export function createAttemptBrake(clock: Clock): AttemptBrake {
  const counters = new Map<string, Counter>();

  return {
    check(account, address) {
      let waitMs = 0;
      for (const { key } of countersOf(account, address)) {
        const counter = counters.get(key);
        if (counter !== undefined) waitMs = Math.max(waitMs, counter.blockedUntilMs - clock.monotonicMs());
      }
      if (waitMs <= 0) return;
      const seconds = Math.ceil(waitMs / 1000);
      throw new Refusal(
        'rate_limit_exceeded',
        `Too many failed sign-ins. Try again in ${inWords(seconds)}.`,
        {
          retryAfterSeconds: seconds,
        },
      );
    },
    noteFailure(account, address) {
      const now = clock.monotonicMs();
      for (const { key, rule } of countersOf(account, address)) {
        const counter = counters.get(key) ?? { failures: 0, blockedUntilMs: 0 };
        // An hour of peace after the last block forgets the past.
        if (now - counter.blockedUntilMs > 3_600_000) counter.failures = 0;
        counter.failures++;
        const excess = counter.failures - rule.free;
        counter.blockedUntilMs =
          now + (excess <= 0 ? 0 : Math.min(rule.longestMs, 1000 * 2 ** Math.min(excess, 20)));
        counters.delete(key);
        counters.set(key, counter);
      }
      for (const oldest of counters.keys()) {
        if (counters.size <= maxCounters) break;
        counters.delete(oldest);
      }
    },
    noteSuccess(account, address) {
      for (const { key, rule } of countersOf(account, address)) {
        const counter = counters.get(key);
        if (counter === undefined) continue;
        counter.failures--;
        if (counter.failures <= rule.free) counter.blockedUntilMs = 0;
        if (counter.failures <= 0 || rule === rules.pair) counters.delete(key);
      }
    },
  };
}

function countersOf(account: string, address: string) {
  const place = neighbourhoodOf(address);
  return [
    { key: `pair ${place} ${account}`, rule: rules.pair },
    { key: `address ${place}`, rule: rules.address },
    { key: `account ${account}`, rule: rules.account },
  ];
}

function inWords(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
