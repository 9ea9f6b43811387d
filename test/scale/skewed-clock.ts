/**
 * Loaded into the real program before it starts (`--import`): the clock of its machine goes wrong by `CLOCK_SKEW_MS`,
 * in all its threads. What only counts how much time has passed is right.
 */
import { syncBuiltinESMExports } from 'node:module';
import threads, { isMainThread } from 'node:worker_threads';
import { setClockWrong } from '#harness/wrong-clock';

const skewMs = Number(process.env['CLOCK_SKEW_MS']);

setClockWrong(() => skewMs);

if (isMainThread) {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(file: string | URL, options?: threads.WorkerOptions) {
      super(file, { ...options, execArgv: ['--import', import.meta.url] });
    }
  };
  syncBuiltinESMExports();
}
