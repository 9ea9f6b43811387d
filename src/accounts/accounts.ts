import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { KeyStore } from '#vocabulary/stores';
import { createKeyDesk, type KeyDesk, type KeyPolicy } from './key-desk.ts';
import { createKeyRing, type LiveKeyRing } from './key-ring.ts';

/** People and what they hold: their keys, in memory for the doors and in the database for good. */
export interface Accounts {
  readonly keyRing: LiveKeyRing;
  readonly keyDesk: KeyDesk;
}

export interface AccountsParts {
  readonly keys: KeyStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keyPolicy: KeyPolicy;
}

/** Nothing runs before `keyRing.start()`; the desk works without it. */
export function createAccounts({ keys, clock, logger, keyPolicy }: AccountsParts): Accounts {
  const keyRing = createKeyRing({ keys, clock, logger });
  const keyDesk = createKeyDesk({ keys, clock, policy: keyPolicy, accessChanged: () => keyRing.refresh() });
  return { keyRing, keyDesk };
}
