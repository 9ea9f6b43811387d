/**
 * One core stays free, also when there are only two: engine threads wait for each other by spinning, and a thread
 * that shares its core with anything else holds up all of them. Small weights get fewer threads: they would spend
 * their time waiting for each other (docs/decisions has the figures).
 */
export function chooseThreads(
  wanted: number | 'auto',
  machine: { readonly cores: number; readonly weightBytes: number },
): number {
  if (wanted !== 'auto') return wanted;
  const busyThreads = Math.floor(machine.weightBytes / leastBytesPerThread);
  return Math.max(1, Math.min(machine.cores - 1, busyThreads));
}

/** The pocket model, 35 MB, was fastest with four to eight threads and twice as slow with fifteen. */
const leastBytesPerThread = 8 * 1024 * 1024;
