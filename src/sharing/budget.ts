/** What was spent of the day, of the month, and in total. One count for all three: they are always asked together. */
export class Spent {
  #day = 0;
  #month = 0;
  #total = 0;
  #dayEndsAt: number;
  #monthEndsAt: number;

  constructor(wallMs: number) {
    this.#dayEndsAt = endOf('day', wallMs);
    this.#monthEndsAt = endOf('month', wallMs);
  }

  get day(): number {
    return this.#day;
  }

  get month(): number {
    return this.#month;
  }

  get total(): number {
    return this.#total;
  }

  get dayEndsAt(): number {
    return this.#dayEndsAt;
  }

  get monthEndsAt(): number {
    return this.#monthEndsAt;
  }

  /**
   * As it is at this moment. A clock that is set back begins no old period again; what was spent then lasts until the
   * end of the day and month that it says, not of those into which it had jumped.
   */
  at(wallMs: number): this {
    if (wallMs < this.#dayEndsAt) {
      if (wallMs < this.#dayEndsAt - dayAndHourMs) {
        this.#dayEndsAt = endOf('day', wallMs);
        this.#monthEndsAt = endOf('month', wallMs);
      }
      return this;
    }
    this.#dayEndsAt = endOf('day', wallMs);
    this.#day = 0;
    if (wallMs < this.#monthEndsAt) return this;
    this.#monthEndsAt = endOf('month', wallMs);
    this.#month = 0;
    return this;
  }

  /** What the books say was spent; they may be a moment behind what was counted here. */
  begin({ day, month, total }: Record<'day' | 'month' | 'total', number>): void {
    this.#day = Math.max(this.#day, day);
    this.#month = Math.max(this.#month, month);
    this.#total = Math.max(this.#total, total);
  }

  /** Less than nothing when another gateway tells that it was less than it had told. */
  add(cost: number, wallMs: number): void {
    this.at(wallMs);
    this.#day = Math.max(0, this.#day + cost);
    this.#month = Math.max(0, this.#month + cost);
    this.#total = Math.max(0, this.#total + cost);
  }
}

/** A clock that is put right by a little around midnight has not been set back. */
const dayAndHourMs = 25 * 3_600_000;

/** Days and months of UTC. */
export function startOf(period: 'day' | 'month', wallMs: number): number {
  const date = new Date(wallMs);
  const day = period === 'day' ? date.getUTCDate() : 1;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day);
}

function endOf(period: 'day' | 'month', wallMs: number): number {
  const date = new Date(wallMs);
  if (period === 'day') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
