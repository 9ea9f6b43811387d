/** The same clock in every process of this machine, unlike `performance.now()`. */
export function monotonicMicros(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000_000 + Math.round(nanoseconds / 1000);
}
