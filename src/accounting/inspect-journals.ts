import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '#vocabulary/file-lock';
import { diskFiles } from './journal-files.ts';

/** The journals in a data directory, seen from outside. */
export interface JournalsStanding {
  /** Processes that serve from this data directory now. */
  readonly livingOwners: number;
  /** What dead processes left for the next start to bring into the books. */
  readonly orphanBytes: number;
}

const claimWaitMs = 2_000;

/** Changes nothing and disturbs nobody: it stands in the same line as those who claim journals. */
export function inspectJournals(dataDir: string): JournalsStanding {
  const root = join(dataDir, 'journal');
  if (!existsSync(join(root, 'claim.lock'))) return { livingOwners: 0, orphanBytes: 0 };
  const door = lockFile(join(root, 'claim.lock'), claimWaitMs);
  // Somebody is claiming a journal at this moment, so somebody is alive.
  if (door === undefined) return { livingOwners: 1, orphanBytes: 0 };
  try {
    let livingOwners = 0;
    let orphanBytes = 0;
    for (const name of readdirSync(root)) {
      const directory = join(root, name);
      if (!existsSync(join(directory, 'owner.lock'))) continue;
      const held = lockFile(join(directory, 'owner.lock'), 0);
      if (held === undefined) livingOwners += 1;
      else orphanBytes += bytesOf(directory);
      held?.close();
    }
    return { livingOwners, orphanBytes };
  } finally {
    door.close();
  }
}

function bytesOf(directory: string): number {
  return diskFiles.listSegments(directory).reduce((sum, path) => sum + statSync(path).size, 0);
}
