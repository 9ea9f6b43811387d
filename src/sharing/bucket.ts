/** So much per minute, evenly: what was taken grows back with time. A clock that jumps changes nothing. */
export class Bucket {
  #perMinute: number;
  #left: number;
  #atMs: number;

  constructor(perMinute: number, nowMs: number) {
    this.#perMinute = perMinute;
    this.#left = perMinute;
    this.#atMs = nowMs;
  }

  get perMinute(): number {
    return this.#perMinute;
  }

  /** A limit that is lowered takes effect at once; what was taken stays taken. */
  resize(perMinute: number, nowMs: number): void {
    if (perMinute === this.#perMinute) return;
    const taken = this.#perMinute - this.left(nowMs);
    this.#perMinute = perMinute;
    this.#left = perMinute - taken;
  }

  left(nowMs: number): number {
    // Asked several times in one moment.
    if (nowMs === this.#atMs) return this.#left;
    const grown = (Math.max(0, nowMs - this.#atMs) / 60_000) * this.#perMinute;
    this.#left = Math.min(this.#perMinute, this.#left + grown);
    this.#atMs = nowMs;
    return this.#left;
  }

  isFull(nowMs: number): boolean {
    return this.left(nowMs) >= this.#perMinute;
  }

  /** May leave less than nothing: what was used is used. Negative amounts give back. */
  take(amount: number, nowMs: number): void {
    this.left(nowMs);
    this.#left = Math.min(this.#perMinute, this.#left - amount);
  }

  /** Others know of less. */
  lower(left: number, nowMs: number): void {
    this.#left = Math.min(this.left(nowMs), left);
  }

  /** Something larger than the whole bucket passes when the bucket is full. */
  hasRoomFor(amount: number, nowMs: number): boolean {
    return this.left(nowMs) >= Math.min(amount, this.#perMinute) && this.#perMinute > 0;
  }

  /** What can be counted on: whole ones, and never less than none. */
  wholeLeft(nowMs: number): number {
    return Math.max(0, Math.floor(this.left(nowMs)));
  }

  secondsUntil(amount: number, nowMs: number): number {
    if (this.#perMinute <= 0) return Infinity;
    const missing = Math.min(amount, this.#perMinute) - this.left(nowMs);
    return Math.max(0, (missing / this.#perMinute) * 60);
  }
}
