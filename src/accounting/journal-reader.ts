import type { UsageApplier } from '#vocabulary/stores';
import { adoptOrphans } from './journal-directory.ts';
import type { JournalFiles } from './journal-files.ts';
import { createJournalLedger } from './journal-ledger.ts';
import { createJournalReplay, type JournalReplay, type ReplayReport } from './journal-replay.ts';

export interface JournalReaderParts {
  /** The directory that holds the journals of all processes. */
  readonly root: string;
  /** The journal that another thread of this process writes. */
  readonly ownPath: string;
  readonly openApplier: () => UsageApplier;
  readonly files: JournalFiles;
}

/**
 * Brings journals into the database: the own one as it grows, and those of dead processes. What is done, not when:
 * every call may fail and may be made again, and the next one waits for it.
 */
export interface JournalReader {
  readonly unappliedBytes: number;
  /** True when there is more to apply of what was there at the beginning. */
  applyNext(): Promise<boolean>;
  /** Looks for the journals of dead processes. */
  adopt(): void;
  /** The next piece of an adopted journal. Undefined: nothing is left; true: more is; a report: one is done. */
  replayNext(): Promise<ReplayReport | true | undefined>;
  /** Deletes of the own journal what is applied and settled; the rest is for the next start. */
  close(): Promise<void>;
}

export function createJournalReader({
  root,
  ownPath,
  openApplier,
  files,
}: JournalReaderParts): JournalReader {
  const applier = reopening(openApplier);
  const ledger = createJournalLedger({ directory: ownPath, files, applier });
  const replays: Adopted[] = [];
  const unreadable: Adopted[] = [];

  return {
    get unappliedBytes() {
      return ledger.unappliedBytes;
    },
    applyNext: () => ledger.applyNext(),
    adopt() {
      replays.push(...unreadable.splice(0));
      for (const orphan of adoptOrphans(root, ownPath, files)) {
        replays.push({
          replay: createJournalReplay(orphan, files, applier),
          release: () => orphan.release(),
        });
      }
    },
    async replayNext() {
      const [current] = replays;
      if (current === undefined) return undefined;
      replays.shift();
      try {
        const report = await current.replay.next();
        if (report === undefined) replays.unshift(current);
        return report ?? true;
      } catch (cause) {
        // One that cannot be read yet keeps nobody waiting: what is not for us to read is not missed here.
        if (applier.isDown) replays.unshift(current);
        else unreadable.push(current);
        throw cause;
      }
    },
    async close() {
      try {
        ledger.finish();
        while (await ledger.applyNext());
        await applier.close();
      } finally {
        for (const { release } of [...replays.splice(0), ...unreadable.splice(0)]) release();
      }
    },
  };
}

interface Adopted {
  readonly replay: JournalReplay;
  release(): void;
}

/** Opened when first needed and again after a failure: the disk may have been full when we looked. */
function reopening(open: () => UsageApplier): UsageApplier & { readonly isDown: boolean } {
  let current: UsageApplier | undefined;
  let isDown = false;
  const close = async () => {
    const closing = current;
    current = undefined;
    await closing?.close();
  };
  return {
    get isDown() {
      return isDown;
    },
    async apply(records) {
      isDown = true;
      current ??= open();
      try {
        await current.apply(records);
      } catch (cause) {
        await close();
        throw cause;
      }
      isDown = false;
    },
    close,
  };
}
