/**
 * How many places an engine really has. The settings say how many at most; the engine's own queue says when that is
 * too many: whoever waits inside the engine waits in its order, not in ours. Fewer quickly, more slowly.
 */
export class SeatTuner {
  readonly #most: () => number;
  #count: number | undefined;

  constructor(most: () => number) {
    this.#most = most;
  }

  get count(): number {
    return Math.min(this.#most(), this.#count ?? Infinity);
  }

  /** `queued`: requests that wait inside the engine, as it tells; `isFull`: all our places are taken. */
  observe(queued: number, isFull: boolean): void {
    const most = this.#most();
    const floor = Math.max(1, Math.floor(most / 8));
    if (queued > 0) this.#count = Math.max(floor, Math.floor(this.count * 0.8));
    else if (isFull && this.#count !== undefined) this.#count = Math.min(most, this.#count + 1);
  }
}
