import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { KeyStore, KeyUse } from '#vocabulary/stores';

const writeEveryMs = 5_000;

export interface KeyUseNotes {
  /** One note per key, the latest; so there are never more notes than keys. */
  note(this: void, keyId: string, address: string): void;
  start(): void;
  stop(): Promise<void>;
}

/** When and from where each key was last used, written down every few seconds and never on the request's way. */
export function createKeyUseNotes({
  keys,
  clock,
  logger,
}: {
  keys: KeyStore;
  clock: Clock;
  logger: Logger;
}): KeyUseNotes {
  let notes = new Map<string, KeyUse>();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    if (notes.size === 0) return;
    const written = notes;
    notes = new Map();
    try {
      await keys.noteUses([...written.values()]);
    } catch (cause) {
      for (const [keyId, use] of written) if (!notes.has(keyId)) notes.set(keyId, use);
      logger.warn({ error: cause }, 'the last use of keys cannot be written down; trying again');
    }
  }

  return {
    note(keyId, address) {
      notes.set(keyId, { keyId, usedAt: clock.wallMs(), address });
    },
    start() {
      timer = setInterval(() => void write(), writeEveryMs).unref();
    },
    async stop() {
      clearInterval(timer);
      await write();
    },
  };
}
