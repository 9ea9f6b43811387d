import { Refusal } from '#vocabulary/refusal';

/**
 * Native work that is not a step, such as embeddings. It waits its turn between two steps: two computations at
 * once would share their cores, and threads that wait for each other by spinning slow both down. One piece of
 * work per step, so that running streams are held up by one text at most. Waiting is bounded by `maxWaiting`.
 */
export interface BetweenSteps {
  run<Value>(work: () => Promise<Value>): Promise<Value>;
  readonly hasWork: boolean;
  /** Runs what has waited longest. Never throws: whoever asked hears of it. */
  runOne(): Promise<void>;
  refuseAll(reason: Refusal): void;
}

interface Errand {
  run(): Promise<void>;
  refuse(reason: Refusal): void;
}

export function createBetweenSteps(maxWaiting: number, onArrival: () => void): BetweenSteps {
  const errands: Errand[] = [];
  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        if (errands.length >= maxWaiting) {
          throw new Refusal(
            'queue_full',
            'The engine is busy and its waiting line is full. Try again soon.',
            {
              retryAfterSeconds: 1,
            },
          );
        }
        errands.push({ run: () => work().then(resolve, reject), refuse: reject });
        onArrival();
      }),
    get hasWork() {
      return errands.length > 0;
    },
    runOne: async () => {
      await errands.shift()?.run();
    },
    refuseAll: (reason) => {
      for (const errand of errands.splice(0)) errand.refuse(reason);
    },
  };
}
