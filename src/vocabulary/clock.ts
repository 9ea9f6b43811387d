/** Time is handed to rooms so that tests can own it. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. Only for what people read. */
  wallMs(): number;
  /** Monotonic milliseconds; the only clock for durations and deadlines. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
