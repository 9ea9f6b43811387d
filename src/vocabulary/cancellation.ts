export type CancellationReason = 'caller-left' | 'access-withdrawn' | 'shutdown' | 'stopped';

/**
 * Says that a request has no reader any more: the caller went, or was sent away. Rooms that hold something on
 * the caller's behalf (a place in the line, a generation on an engine) let go of it here. Fires at most once.
 */
export class Cancellation {
  reason: CancellationReason | undefined;
  #listeners: ((reason: CancellationReason) => void)[] = [];

  get isCancelled(): boolean {
    return this.reason !== undefined;
  }

  /** Called at once when the caller has already gone. Returns a function that forgets the listener. */
  onCancel(listener: (reason: CancellationReason) => void): () => void {
    if (this.reason !== undefined) {
      listener(this.reason);
      return () => {};
    }
    this.#listeners.push(listener);
    return () => {
      const index = this.#listeners.indexOf(listener);
      if (index >= 0) this.#listeners.splice(index, 1);
    };
  }

  cancel(reason: CancellationReason): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener(reason);
  }
}
