import { Kysely } from 'kysely';
import type {
  IdentityStore,
  InvitationStore,
  PersonUsageStore,
  PreferenceStore,
  SessionStore,
  SignInLinkStore,
} from '#vocabulary/account-stores';
import type { AuditStore } from '#vocabulary/audit';
import type { BulletinStore } from '#vocabulary/bulletin';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { DocumentStore } from '#vocabulary/documents';
import type { Logger } from '#vocabulary/logger';
import type { ProjectStore } from '#vocabulary/project';
import type { ResponseStore } from '#vocabulary/response-store';
import type { ServiceHistoryStore } from '#vocabulary/service-history';
import type { ServiceNoteStore } from '#vocabulary/service-notes';
import type { KeyStore, PeopleStore, UsageApplierSource, UsageStore } from '#vocabulary/stores';
import { createAuditStore } from './audit-store.ts';
import { createBulletinStore } from './bulletin-store.ts';
import { createConversationStore } from './conversation-store.ts';
import { createDocumentStore } from './document-store.ts';
import { createIdentityStore } from './identity-store.ts';
import { createInvitationStore } from './invitation-store.ts';
import { createKeyStore } from './key-store.ts';
import { openLivingProcesses } from './living-processes.ts';
import { openLocalRunner } from './local-runner.ts';
import { createNodeSqliteDialect, type Runners } from './node-sqlite-dialect.ts';
import { prepareDatabase } from './open-database.ts';
import { createPeopleStore } from './people-store.ts';
import { createPersonUsageStore } from './person-usage-store.ts';
import { createProjectStore } from './project-store.ts';
import { createPreferenceStore } from './preference-store.ts';
import { createResponseStore } from './response-store.ts';
import { createServiceHistoryStore } from './service-history-store.ts';
import { createServiceNoteStore } from './service-note-store.ts';
import { createSessionStore } from './session-store.ts';
import { createSignInLinkStore } from './sign-in-link-store.ts';
import type { Tables } from './tables.ts';
import type { QueryRunner } from './query-runner.ts';
import { openReaders } from './readers.ts';
import { openThreadRunner } from './thread-runner.ts';
import { watchDatabase } from './database-watch.ts';
import { createUsageStore } from './usage-store.ts';

/**
 * The databases behind the stores. One SQLite file in the data directory, in write-ahead mode: the server, the
 * journal's thread and the command line use it at the same time.
 */
export interface Storage {
  readonly people: PeopleStore;
  readonly keys: KeyStore;
  readonly usage: UsageStore;
  readonly identities: IdentityStore;
  readonly sessions: SessionStore;
  readonly signInLinks: SignInLinkStore;
  readonly invitations: InvitationStore;
  readonly preferences: PreferenceStore;
  readonly projects: ProjectStore;
  readonly personUsage: PersonUsageStore;
  readonly conversations: ConversationStore;
  readonly documents: DocumentStore;
  readonly audit: AuditStore;
  readonly responses: ResponseStore;
  readonly serviceHistory: ServiceHistoryStore;
  readonly serviceNotes: ServiceNoteStore;
  readonly bulletin: BulletinStore;
  readonly usageApplier: UsageApplierSource;
  /** Why the database is of no use any more: its file was taken away. */
  problem(): string | undefined;
  /** Harmless when called twice. */
  close(): Promise<void>;
}

export interface StorageParts {
  readonly dataDir: string;
  readonly logger: Logger;
  /** Where queries run. A server wants a thread of their own, a program that soon ends does not. */
  readonly queriesRunIn?: 'own-thread' | 'this-thread';
}

/** Throws an `OperatorProblem` when the directory cannot be used. */
export function openStorage({ dataDir, logger, queriesRunIn = 'own-thread' }: StorageParts): Storage {
  const path = prepareDatabase(dataDir, logger);
  const watch = watchDatabase(path, logger);
  const processes = openLivingProcesses(dataDir);
  const runners = queriesRunIn === 'own-thread' ? openThreads(path) : openHere(path);
  const { writer, reader, reports } = runners;
  const database = new Kysely<Tables>({ dialect: createNodeSqliteDialect({ writer, reader }) });
  /** For searches, reports and exports: what takes long to read holds up no other reader either. */
  const reading = new Kysely<Tables>({
    dialect: createNodeSqliteDialect({ writer: reports, reader: reports }),
  });
  return {
    people: createPeopleStore(database),
    keys: createKeyStore(database),
    usage: createUsageStore(database, reading),
    identities: createIdentityStore(database),
    sessions: createSessionStore(database),
    signInLinks: createSignInLinkStore(database),
    invitations: createInvitationStore(database),
    preferences: createPreferenceStore(database),
    projects: createProjectStore(database),
    personUsage: createPersonUsageStore(reading),
    conversations: createConversationStore(database, reading, processes),
    documents: createDocumentStore(database, reading),
    audit: createAuditStore(database, reading),
    responses: createResponseStore(database),
    serviceHistory: createServiceHistoryStore(database, reading),
    serviceNotes: createServiceNoteStore(database),
    bulletin: createBulletinStore(database),
    usageApplier: {
      moduleUrl: new URL('./usage-applier.ts', import.meta.url).href,
      location: path,
    },
    problem: () => watch.problem(),
    async close() {
      watch.stop();
      await Promise.all([database.destroy(), reading.destroy()]);
      await runners.close();
      processes.close();
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

export { makeBackup, type BackupParts } from './backup/make-backup.ts';
export { type BackupContents, readBackup } from './backup/read-backup.ts';
export { restoreBackup } from './backup/restore-backup.ts';
export { type DatabaseStanding, inspectDatabase } from './inspect-database.ts';
