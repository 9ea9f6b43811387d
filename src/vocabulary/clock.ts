/** Time is handed to rooms so that tests can own it. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. Only for what people read. */
  wallMs(): number;
  /** Monotonic milliseconds; the only clock for durations and deadlines. */
  monotonicMs(): number;
}

/** What is to happen later, handed to rooms for the same reason. Nothing of it keeps the process alive. */
export interface Timers {
  /** Disposing what is returned calls it off. */
  after(delayMs: number, call: () => void): Disposable;
  every(intervalMs: number, call: () => void): Disposable;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

export const systemTimers: Timers = {
  after: (delayMs, call) => setTimeout(call, delayMs).unref(),
  every: (intervalMs, call) => setInterval(call, intervalMs).unref(),
};
