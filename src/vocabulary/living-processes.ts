import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '#vocabulary/file-lock';
import { makePrivateFolder } from './private-folder.ts';

/** Which processes serve from a database. */
export interface LivingProcesses {
  /** The name of this process, from the first time that it is asked for. */
  readonly ownId: string;
  isAlive(processId: string): boolean | Promise<boolean>;
  close(): void | Promise<void>;
}

/** Those that serve from a data directory: each holds a file locked while it lives. */
export function openLivingProcesses(dataDir: string): LivingProcesses {
  const directory = join(dataDir, 'processes');
  const fileOf = (processId: string) => join(directory, `${processId}.lock`);
  let own: { readonly id: string; release(): void } | undefined;

  return {
    get ownId() {
      own ??= claim();
      return own.id;
    },
    isAlive(processId) {
      if (processId === own?.id) return true;
      const file = fileOf(processId);
      if (!existsSync(file)) return false;
      const left = lockFile(file, 0);
      if (left === undefined) return true;
      rmSync(file, { force: true });
      left.close();
      return false;
    },
    close() {
      own?.release();
      own = undefined;
    },
  };

  function claim() {
    makePrivateFolder(directory);
    for (;;) {
      const id = randomUUID();
      const file = fileOf(id);
      const held = lockFile(file, 0);
      if (held === undefined) throw new Error(`the new file ${file} cannot be locked`);
      const release = () => {
        rmSync(file, { force: true });
        held.close();
      };
      // Whoever looked in the moment before it was locked took it for one that was left behind.
      if (existsSync(file)) return { id, release };
      release();
    }
  }
}
