/** So much until a day or a month is over, or in total. Reserved when a request begins, settled when it ends. */
export type Period = 'day' | 'month' | 'total';

export class Budget {
  readonly #period: Period;
  #endsAt: number;
  #spent = 0;
  #reserved = 0;

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

  /** Also what running requests may still spend. */
  committed(wallMs: number): number {
    return this.spent(wallMs) + this.#reserved;
  }

  reserve(cost: number): void {
    this.#reserved += cost;
  }

  get reserved(): number {
    return this.#reserved;
  }

  settle(reserved: number, cost: number, wallMs: number): void {
    this.#roll(wallMs);
    this.#reserved = Math.max(0, this.#reserved - reserved);
    this.#spent += cost;
  }

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
