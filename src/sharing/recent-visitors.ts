import type { Clock } from '#vocabulary/clock';

/** How long somebody is expected back. */
const windowMs = 60_000;
const maxRemembered = 64;

/** Who was served a moment ago and neither waits nor is served now. Remembers a few; the oldest goes first. */
export class RecentVisitors<Visitor> {
  readonly #clock: Clock;
  readonly #leftMs = new Map<Visitor, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get count(): number {
    const since = this.#clock.monotonicMs() - windowMs;
    for (const [visitor, leftMs] of this.#leftMs) {
      if (leftMs >= since) break;
      this.#leftMs.delete(visitor);
    }
    return this.#leftMs.size;
  }

  left(visitor: Visitor): void {
    this.#leftMs.delete(visitor);
    this.#leftMs.set(visitor, this.#clock.monotonicMs());
    if (this.#leftMs.size <= maxRemembered) return;
    for (const oldest of this.#leftMs.keys()) {
      this.#leftMs.delete(oldest);
      return;
    }
  }

  came(visitor: Visitor): void {
    this.#leftMs.delete(visitor);
  }
}
