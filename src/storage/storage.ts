import { Kysely } from 'kysely';
import type { Logger } from '#vocabulary/logger';
import type { KeyStore, PeopleStore, UsageApplierSource, UsageStore } from '#vocabulary/stores';
import { createKeyStore } from './key-store.ts';
import { createNodeSqliteDialect } from './node-sqlite-dialect.ts';
import { databasePath, openDatabase } from './open-database.ts';
import { createPeopleStore } from './people-store.ts';
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
