/** What a measurement has started and written: all of it goes when the measurement ends, however that is. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolderOf } from '#harness/cache-folder';

const started = new Set<ChildProcess>();
let runFolder: string | undefined;

/** Not under the system's folder for temporary files: others clean up there, also while we measure. */
export function scratchFolder(name: string): string {
  if (runFolder === undefined) {
    const home = cacheFolderOf('bench');
    mkdirSync(home, { recursive: true });
    const made = mkdtempSync(join(home, 'run-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true, maxRetries: 5 }));
    runFolder = made;
  }
  return mkdtempSync(join(runFolder, `${name}-`));
}

export function endsWithUs<Child extends ChildProcess>(child: Child): Child {
  if (started.size === 0) process.once('exit', killAll);
  started.add(child);
  child.once('exit', () => started.delete(child));
  return child;
}

/** Asks everybody to end and waits until they have; who takes longer than ten seconds is killed. */
export async function stopAll(): Promise<void> {
  for (const child of started) child.kill();
  for (let attempt = 0; attempt < 100 && started.size > 0; attempt++) await sleep(100);
  killAll();
}

function killAll(): void {
  for (const child of started) child.kill('SIGKILL');
}
