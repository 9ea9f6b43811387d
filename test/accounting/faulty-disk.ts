/**
 * Loaded into the real program before it starts (`--import`): the disk of the usage journal as the file behind
 * `FAULTY_DISK` says at the moment. `slow`: a write takes up to a second and a sync up to three; `full`: half of a
 * write is taken and the rest refused; `unsynced`: no sync ends while it lasts. Everything else is the real disk.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import threads, { isMainThread } from 'node:worker_threads';

const mood = () => fs.readFileSync(process.env['FAULTY_DISK'] ?? '', 'utf8');

if (isMainThread) bringIntoThreads();
breakDisk();

function bringIntoThreads(): void {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(file: string | URL, options?: threads.WorkerOptions) {
      super(file, { ...options, execArgv: ['--import', import.meta.url] });
    }
  };
  syncBuiltinESMExports();
}

function breakDisk(): void {
  const { openSync, writeSync, fdatasync } = fs;
  const journals = new Set<number>();
  fs.openSync = (path, ...rest) => {
    const file = openSync(path, ...rest);
    if (/\/journal\/.*\.journal$/.test(String(path)) && rest[0] !== 'r') journals.add(file);
    else journals.delete(file);
    return file;
  };
  const write = (file: number, bytes: Buffer, offset: number) => {
    if (journals.has(file)) {
      if (mood() === 'slow') sleep(Math.random() * 1000);
      if (mood() === 'full') {
        writeSync(file, bytes, offset, Math.floor((bytes.length - offset) / 2));
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      }
    }
    return writeSync(file, bytes, offset);
  };
  fs.writeSync = write as typeof fs.writeSync;
  const sync = (file: number, done: fs.NoParamCallback) => {
    if (journals.has(file) && mood() === 'slow') setTimeout(fdatasync, Math.random() * 3000, file, done);
    else if (journals.has(file) && mood() === 'unsynced') setTimeout(sync, 20, file, done);
    else fdatasync(file, done);
  };
  fs.fdatasync = sync as typeof fs.fdatasync;
  syncBuiltinESMExports();
}

function sleep(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}
