import { setImmediate as allSettled } from 'node:timers/promises';
import type { Clock, Timers } from '#vocabulary/clock';

/** A clock that stands still while code runs, and leaps to the next thing that is to happen. */
export interface VirtualTime extends Clock, Timers {
  /** Promises come to rest between two moments. */
  runUntil(endMs: number): Promise<void>;
}

interface Happening {
  readonly atMs: number;
  /** Those of one moment happen in the order in which they were asked for. */
  readonly order: number;
  call: (() => void) | undefined;
}

const beginning = Date.UTC(2026, 0, 1);

export function createVirtualTime(): VirtualTime {
  /** A binary heap, the next on top. */
  const happenings: Happening[] = [];
  let nowMs = 0;
  let asked = 0;

  return {
    wallMs: () => beginning + nowMs,
    monotonicMs: () => nowMs,
    after,
    every(intervalMs, call) {
      let next = after(intervalMs, again);
      return { [Symbol.dispose]: () => next[Symbol.dispose]() };

      function again(): void {
        next = after(intervalMs, again);
        call();
      }
    },
    async runUntil(endMs) {
      await allSettled();
      for (let next = happenings[0]; next !== undefined && next.atMs <= endMs; next = happenings[0]) {
        nowMs = next.atMs;
        for (; next !== undefined && next.atMs === nowMs; next = happenings[0]) {
          takeFirst();
          next.call?.();
        }
        await allSettled();
      }
      nowMs = endMs;
    },
  };

  function after(delayMs: number, call: () => void): Disposable {
    const happening: Happening = { atMs: nowMs + Math.max(0, delayMs), order: asked++, call };
    insert(happening);
    return {
      [Symbol.dispose]() {
        happening.call = undefined;
      },
    };
  }

  function insert(happening: Happening): void {
    let place = happenings.length;
    while (place > 0) {
      const parentPlace = (place - 1) >> 1;
      const parent = happenings[parentPlace];
      if (parent === undefined || isBefore(parent, happening)) break;
      happenings[place] = parent;
      place = parentPlace;
    }
    happenings[place] = happening;
  }

  function takeFirst(): void {
    const last = happenings.pop();
    if (last === undefined || happenings.length === 0) return;
    let place = 0;
    for (;;) {
      const left = happenings[2 * place + 1];
      const right = happenings[2 * place + 2];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (isBefore(last, child)) break;
      happenings[place] = child;
      place = 2 * place + (isRight ? 2 : 1);
    }
    happenings[place] = last;
  }
}

function isBefore(a: Happening, b: Happening): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
