import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#vocabulary/clock';
import type { Countable, CountTokens } from '#vocabulary/token-count';

/** What engines have counted, kept so that a text is counted once. */
export interface TokenCounts {
  /**
   * In the order asked; undefined for what is not known within the time given. What is counted later is known the next
   * time. Never rejects.
   */
  count(
    personId: string,
    modelId: string,
    things: readonly Countable[],
    withinMs: number,
  ): Promise<readonly (number | undefined)[]>;
}

/** About a hundred bytes each; the longest unused is forgotten. */
const maxRemembered = 20_000;
/** Whoever comes when so many are counting gets what is known. */
const maxCounting = 6;
const maxCountingPerPerson = 2;
/** Questions that one counting has at an engine at a time. */
const atOnce = 2;
/** Longer texts cost an engine more than the number is worth. */
const maxTextLength = 1_000_000;
/** An engine that does not count, or not in time, is left alone for so long; one that lies for longer. */
const silentPauseMs = 10_000;
const lyingPauseMs = 600_000;

export function createTokenCounts({
  ask,
  catalogue,
  clock,
}: {
  readonly ask: CountTokens;
  /** Another one after a reload: then a name may stand for another model, and nothing counted holds. */
  readonly catalogue: () => object;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}): TokenCounts {
  const remembered = new Map<string, number>();
  const pausedUntil = new Map<string, number>();
  const countingOf = new Map<string, number>();
  let counting = 0;
  let countedFor = catalogue();

  return {
    async count(personId, modelId, things, withinMs) {
      forgetAfterReload();
      const keys = things.map((thing) => keyOf(personId, modelId, thing));
      const missing = new Map<string, Countable>();
      for (const [index, thing] of things.entries()) {
        const key = keys[index] ?? '';
        if (thing === '') remember(key, 0);
        else if (recall(key) === undefined && sizeOf(thing) <= maxTextLength) missing.set(key, thing);
      }
      const own = countingOf.get(personId) ?? 0;
      const isPaused = clock.monotonicMs() < (pausedUntil.get(modelId) ?? 0);
      if (missing.size > 0 && !isPaused && own < maxCountingPerPerson && counting < maxCounting)
        await countMissing(personId, modelId, missing, withinMs);
      return keys.map(recall);
    },
  };

  async function countMissing(
    personId: string,
    modelId: string,
    missing: ReadonlyMap<string, Countable>,
    withinMs: number,
  ): Promise<void> {
    counting++;
    countingOf.set(personId, (countingOf.get(personId) ?? 0) + 1);
    const patience = new AbortController();
    const begunFor = countedFor;
    const left = missing.entries();
    let counted = 0;
    const askOn = async () => {
      for (const [key, thing] of left) {
        if (patience.signal.aborted) return;
        const count = await ask(modelId, thing);
        if (count === undefined) continue;
        if (catalogue() !== begunFor) return;
        if (!isPlausible(thing, count)) return pause(modelId, lyingPauseMs);
        remember(key, count);
        counted++;
      }
    };
    const work = Promise.all(Array.from({ length: atOnce }, askOn)).finally(() => {
      counting--;
      const own = (countingOf.get(personId) ?? 1) - 1;
      if (own > 0) countingOf.set(personId, own);
      else countingOf.delete(personId);
      if (counted === 0) pause(modelId, silentPauseMs);
    });
    const timer = new AbortController();
    await Promise.race([work, delay(withinMs, undefined, { signal: timer.signal, ref: false })]).catch(
      () => undefined,
    );
    timer.abort();
    patience.abort();
  }

  function forgetAfterReload(): void {
    const now = catalogue();
    if (now === countedFor) return;
    countedFor = now;
    remembered.clear();
    pausedUntil.clear();
  }

  function pause(modelId: string, forMs: number): void {
    const until = clock.monotonicMs() + forMs;
    if (until > (pausedUntil.get(modelId) ?? 0)) pausedUntil.set(modelId, until);
  }

  function recall(key: string): number | undefined {
    const count = remembered.get(key);
    if (count === undefined) return undefined;
    remembered.delete(key);
    remembered.set(key, count);
    return count;
  }

  function remember(key: string, count: number): void {
    remembered.set(key, count);
    const [oldest] = remembered.keys();
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
  }
}

/** Nobody learns from it what somebody else has written. */
function keyOf(personId: string, modelId: string, thing: Countable): string {
  const text = typeof thing === 'string' ? thing : JSON.stringify(thing);
  const kind = typeof thing === 'string' ? 'text' : 'chat';
  return createHash('sha256').update(`${personId}\0${modelId}\0${kind}\0${text}`).digest('base64');
}

function sizeOf(thing: Countable): number {
  return typeof thing === 'string' ? thing.length : JSON.stringify(thing).length;
}

/** A token has at least a byte, and no tokenizer has tokens of hundreds of letters. */
function isPlausible(thing: Countable, count: number): boolean {
  if (!Number.isInteger(count)) return false;
  if (typeof thing !== 'string') return count > 0 && count <= 4096 + Buffer.byteLength(JSON.stringify(thing));
  return count <= Buffer.byteLength(thing) + 8 && (count + 1) * 256 >= thing.length;
}
