import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { UsageApplier } from '#vocabulary/stores';
import { diskFiles } from './journal-files.ts';
import { createJournalReplay, type ReplayReport } from './journal-replay.ts';
import { makePrivateFolder } from '#vocabulary/private-folder';

/** What the journals of a data directory held at one moment, apart from those who go on writing them. */
export interface JournalCopy {
  /** Brings it into a copy of the books and deletes it. Gives the number of requests that were still running. */
  applyTo(applier: UsageApplier): Promise<number>;
}

/**
 * Must be made before the books are copied: a segment that is deleted meanwhile has been applied, so it is in a
 * later copy of the books; the other way round its records would be in neither. Requests that are running now
 * count as interrupted unless the copied books know better.
 */
export function copyJournals(dataDir: string, into: string): JournalCopy {
  const root = join(dataDir, 'journal');
  const copies = listJournals(root).map((name) => copyJournal(join(root, name), join(into, name)));
  return {
    async applyTo(applier) {
      let interrupted = 0;
      for (const path of copies) {
        const directory = {
          path,
          release() {},
          remove: () => rmSync(path, { recursive: true, force: true }),
        };
        const replay = createJournalReplay(directory, diskFiles, applier);
        let report: ReplayReport | undefined;
        while (report === undefined) report = await replay.next();
        interrupted += report.interruptedRequests;
      }
      return interrupted;
    },
  };
}

function listJournals(root: string): string[] {
  return unlessGone(() => readdirSync(root, { withFileTypes: true }), [])
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

function copyJournal(from: string, to: string): string {
  makePrivateFolder(to);
  for (const segment of unlessGone(() => diskFiles.listSegments(from), [])) {
    unlessGone(() => copyFileSync(segment, join(to, basename(segment))), undefined);
  }
  return to;
}

function unlessGone<Value>(look: () => Value, otherwise: Value): Value {
  try {
    return look();
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return otherwise;
    throw cause;
  }
}
