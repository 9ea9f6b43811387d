/** First come, first served; whoever gives up is taken out wherever they stand. Cheap at both ends. */
export class WaiterQueue<W> {
  #waiters: (W | undefined)[] = [];
  #head = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): W | undefined {
    return this.#waiters[this.#head];
  }

  push(waiter: W): void {
    this.#waiters.push(waiter);
    this.#size++;
  }

  remove(waiter: W): boolean {
    const isNewest = this.#waiters.at(-1) === waiter;
    const at = isNewest ? this.#waiters.length - 1 : this.#waiters.indexOf(waiter, this.#head);
    if (at < 0) return false;
    this.#waiters[at] = undefined;
    this.#size--;
    this.#skipGaps();
    return true;
  }

  /** The newest for whom it is true. */
  newest(isMeant: (waiter: W) => boolean): W | undefined {
    for (let at = this.#waiters.length - 1; at >= this.#head; at--) {
      const waiter = this.#waiters[at];
      if (waiter !== undefined && isMeant(waiter)) return waiter;
    }
    return undefined;
  }

  all(): W[] {
    return this.#waiters.filter((waiter): waiter is W => waiter !== undefined);
  }

  #skipGaps(): void {
    while (this.#waiters.length > this.#head && this.#waiters.at(-1) === undefined) this.#waiters.pop();
    while (this.#head < this.#waiters.length && this.#waiters[this.#head] === undefined) this.#head++;
    if (this.#head < 64 || this.#head * 2 < this.#waiters.length) return;
    this.#waiters = this.#waiters.slice(this.#head);
    this.#head = 0;
  }
}
