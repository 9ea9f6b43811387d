/** What was spent of a day, of a month, or in total. */
export type Period = 'day' | 'month' | 'total';

export class Budget {
  readonly #period: Period;
  #endsAt: number;
  #spent = 0;

  constructor(period: Period, wallMs: number) {
    this.#period = period;
    this.#endsAt = endOf(period, wallMs);
  }

  /** What the books say was spent in this period; they may be a moment behind what was counted here. */
  begin(spent: number): void {
    this.#spent = Math.max(this.#spent, spent);
  }

  spent(wallMs: number): number {
    this.#roll(wallMs);
    return this.#spent;
  }

  spend(cost: number, wallMs: number): void {
    this.#roll(wallMs);
    this.#spent += cost;
  }

  /** Another gateway may also tell that it was less than it had told. */
  spendElsewhere(cost: number, wallMs: number): void {
    this.#roll(wallMs);
    this.#spent = Math.max(0, this.#spent + cost);
  }

  /** Undefined for a total. */
  renewsAt(wallMs: number): number | undefined {
    this.#roll(wallMs);
    return this.#endsAt === Infinity ? undefined : this.#endsAt;
  }

  /** A clock that is set back begins no old period again. */
  #roll(wallMs: number): void {
    if (wallMs < this.#endsAt) return;
    this.#endsAt = endOf(this.#period, wallMs);
    this.#spent = 0;
  }
}

/** Days and months of UTC. */
export function startOf(period: Period, wallMs: number): number {
  const date = new Date(wallMs);
  if (period === 'day') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  if (period === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  return 0;
}

function endOf(period: Period, wallMs: number): number {
  const date = new Date(wallMs);
  if (period === 'day') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1);
  if (period === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return Infinity;
}
