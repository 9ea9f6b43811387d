/**
 * Loaded into the real program before it starts (`--import`): the clock of its machine goes wrong by `CLOCK_SKEW_MS`,
 * in all its threads. What only counts how much time has passed is right.
 */
import { syncBuiltinESMExports } from 'node:module';
import threads, { isMainThread } from 'node:worker_threads';

const skewMs = Number(process.env['CLOCK_SKEW_MS']);
const TrueDate = Date;

globalThis.Date = class extends TrueDate {
  constructor(...words: [] | [string | number | Date]) {
    if (words.length === 0) super(TrueDate.now() + skewMs);
    else super(...words);
  }

  static override now(): number {
    return TrueDate.now() + skewMs;
  }
} as DateConstructor;

if (isMainThread) {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(file: string | URL, options?: threads.WorkerOptions) {
      super(file, { ...options, execArgv: ['--import', import.meta.url] });
    }
  };
  syncBuiltinESMExports();
}
