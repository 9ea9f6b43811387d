import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for a fact instead of for a time. The deadline is a fuse for broken code, not an assertion: it is far
 * beyond what a busy machine needs.
 */
export async function waitUntil<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  fuseMs = 60_000,
): Promise<NonNullable<Exclude<Value, false>>> {
  const deadline = performance.now() + fuseMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== null && seen !== false)
      return seen as NonNullable<Exclude<Value, false>>;
    if (performance.now() > deadline) throw new Error(`Waited ${fuseMs} ms in vain until ${what}`);
    await delay(10);
  }
}

/** Fails with a sentence instead of hanging the whole test run. */
export async function within<Value>(what: string, promise: Promise<Value>, fuseMs = 60_000): Promise<Value> {
  const fuse = new AbortController();
  const burnt = delay(fuseMs, undefined, { signal: fuse.signal }).then(() => {
    throw new Error(`Waited ${fuseMs} ms in vain for ${what}`);
  });
  try {
    return await Promise.race([promise, burnt]);
  } finally {
    burnt.catch(() => {});
    fuse.abort();
  }
}
