import { Kysely } from 'kysely';
import type {
  InvitationStore,
  PersonUsageStore,
  PreferenceStore,
  SessionStore,
  SignInLinkStore,
} from '#vocabulary/account-stores';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { Logger } from '#vocabulary/logger';
import type { KeyStore, PeopleStore, UsageApplierSource, UsageStore } from '#vocabulary/stores';
import { createConversationStore } from './conversation-store.ts';
import { createInvitationStore } from './invitation-store.ts';
import { createKeyStore } from './key-store.ts';
import { createNodeSqliteDialect } from './node-sqlite-dialect.ts';
import { databasePath, openDatabase } from './open-database.ts';
import { createPeopleStore } from './people-store.ts';
import { createPersonUsageStore } from './person-usage-store.ts';
import { createPreferenceStore } from './preference-store.ts';
import { createSessionStore } from './session-store.ts';
import { createSignInLinkStore } from './sign-in-link-store.ts';
import type { Tables } from './tables.ts';
import { createUsageStore } from './usage-store.ts';

/**
 * The databases behind the stores. One SQLite file in the data directory, in write-ahead mode: the server, the
 * journal's thread and the command line use it at the same time.
 */
export interface Storage {
  readonly people: PeopleStore;
  readonly keys: KeyStore;
  readonly usage: UsageStore;
  readonly sessions: SessionStore;
  readonly signInLinks: SignInLinkStore;
  readonly invitations: InvitationStore;
  readonly preferences: PreferenceStore;
  readonly personUsage: PersonUsageStore;
  readonly conversations: ConversationStore;
  readonly usageApplier: UsageApplierSource;
  /** Harmless when called twice. */
  close(): Promise<void>;
}

/** Throws an `OperatorProblem` when the directory cannot be used. */
export function openStorage({ dataDir, logger }: { dataDir: string; logger: Logger }): Storage {
  const connection = openDatabase(dataDir, logger);
  const database = new Kysely<Tables>({ dialect: createNodeSqliteDialect(connection) });
  return {
    people: createPeopleStore(database),
    keys: createKeyStore(database),
    usage: createUsageStore(database),
    sessions: createSessionStore(database),
    signInLinks: createSignInLinkStore(database),
    invitations: createInvitationStore(database),
    preferences: createPreferenceStore(database),
    personUsage: createPersonUsageStore(database),
    conversations: createConversationStore(database),
    usageApplier: {
      moduleUrl: new URL('./usage-applier.ts', import.meta.url).href,
      location: databasePath(dataDir),
    },
    async close() {
      await database.destroy();
      // Kysely leaves a connection alone that it never used.
      if (connection.isOpen) connection.close();
    },
  };
}
