import type { Logger } from '#vocabulary/logger';
import type { NewsBoard } from '#vocabulary/peers';
import type { UsageApplierSource } from '#vocabulary/stores';
import { watchDatabase } from './database-watch.ts';
import { openLivingProcesses } from '#vocabulary/living-processes';
import { openLocalRunner } from './local-runner.ts';
import type { SchemaStanding } from './migrate.ts';
import { createNodeSqliteDialect, type Runners } from './node-sqlite-dialect.ts';
import { prepareDatabase } from './open-database.ts';
import type { QueryRunner } from './query-runner.ts';
import { openReaders } from './readers.ts';
import { speak } from './speak.ts';
import { sqliteSearch } from './sqlite-search.ts';
import { createStores, type Stores } from './stores.ts';
import { openThreadRunner } from './thread-runner.ts';

/**
 * The database behind the stores: one SQLite file in the data directory, in write-ahead mode, which the server, the
 * journal's thread and the command line use at the same time; or PostgreSQL, which many gateways share.
 */
export interface Storage extends Stores {
  /** Known to every gateway of the service and to nobody else. */
  readonly secret: string;
  readonly usageApplier: UsageApplierSource;
  /** Where the gateways of the service tell each other things; undefined where there is only one. */
  readonly newsBoard: NewsBoard | undefined;
  /** Calls back when another gateway has changed keys, people, projects or limits. Not to be relied on. */
  onChange(listener: () => void): void;
  /** Does what one gateway at a time should do; not at all when another is at it. */
  once(duty: string, work: () => Promise<void>): Promise<void>;
  /** Why the database is of no use any more: its file was taken away. */
  problem(): string | undefined;
  /** Whether it answered lately. */
  isReachable(): boolean;
  /** Harmless when called twice. */
  close(): Promise<void>;
}

export interface StorageParts {
  readonly dataDir: string;
  readonly logger: Logger;
  /** Where queries run. A server wants a thread of their own, a program that soon ends does not. */
  readonly queriesRunIn?: 'own-thread' | 'this-thread';
}

/** The one that the settings name. Throws an `OperatorProblem` when it cannot be used. */
export async function openDatabase(
  parts: StorageParts & {
    readonly database: string | undefined;
    /** What the service is called: by this a gateway with a new data directory shows that it belongs to a database. */
    readonly service?: string | undefined;
  },
): Promise<Storage> {
  const { database: address } = parts;
  if (address === undefined) return openStorage(parts);
  const { openPostgresStorage } = await import('./postgres/open-postgres.ts');
  return await openPostgresStorage({ ...parts, address });
}

/** Throws an `OperatorProblem` when the directory cannot be used. */
export function openStorage({ dataDir, logger, queriesRunIn = 'own-thread' }: StorageParts): Storage {
  const { path, secret } = prepareDatabase(dataDir, logger);
  const watch = watchDatabase(path, logger);
  const processes = openLivingProcesses(dataDir);
  const runners = queriesRunIn === 'own-thread' ? openThreads(path) : openHere(path);
  const { writer, reader, reports } = runners;
  const database = speak(createNodeSqliteDialect({ writer, reader }));
  const reading = speak(createNodeSqliteDialect({ writer: reports, reader: reports }));
  return {
    ...createStores({ database, reading, processes, words: sqliteSearch }),
    secret,
    newsBoard: undefined,
    usageApplier: {
      moduleUrl: new URL('./usage-applier.ts', import.meta.url).href,
      location: path,
    },
    onChange() {},
    once: (_, work) => work(),
    problem: () => watch.problem(),
    isReachable: () => watch.problem() === undefined,
    async close() {
      watch.stop();
      await Promise.all([database.destroy(), reading.destroy()]);
      await runners.close();
      await processes.close();
    },
  };
}

interface OpenRunners extends Runners {
  readonly reports: QueryRunner;
  close(): Promise<void>;
}

function openHere(path: string): OpenRunners {
  const runner = openLocalRunner(path);
  return { writer: runner, reader: runner, reports: runner, close: () => runner.close() };
}

function openThreads(path: string): OpenRunners {
  const writer = openThreadRunner({ path, may: 'write' });
  const reader = openThreadRunner({ path, may: 'only-read' });
  const reports = openReaders(path);
  return {
    writer,
    reader,
    reports,
    // The writer goes last: only it can bring the write-ahead log into the file.
    async close() {
      await Promise.all([reader.close(), reports.close()]);
      await writer.close();
    },
  };
}

/** How the schema of a PostgreSQL compares with ours. Changes nothing; throws an `OperatorProblem`. */
export async function inspectPostgres(address: string): Promise<SchemaStanding> {
  return await (await import('./postgres/prepare-postgres.ts')).inspectPostgres(address);
}

export { makeBackup, type BackupParts } from './backup/make-backup.ts';
export { type BackupContents, readBackup } from './backup/read-backup.ts';
export { restoreBackup } from './backup/restore-backup.ts';
export { type DatabaseStanding, inspectDatabase } from './inspect-database.ts';
export type { SchemaStanding } from './migrate.ts';
export { dataFolderProblem } from './open-database.ts';
