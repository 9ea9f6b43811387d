import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '#vocabulary/logger';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { people } from './migrations/001-people.ts';
import { keys } from './migrations/002-keys.ts';
import { usage } from './migrations/003-usage.ts';
import { accounts } from './migrations/010-accounts.ts';
import { conversations } from './migrations/011-conversations.ts';
import { oneSignInLink } from './migrations/020-one-sign-in-link.ts';
import { providerAccounts } from './migrations/021-provider-accounts.ts';
import { audit } from './migrations/022-audit.ts';
import { answerWriters } from './migrations/030-answer-writers.ts';
import { chatSizes } from './migrations/031-chat-sizes.ts';
import { documents } from './migrations/032-documents.ts';
import { projects } from './migrations/040-projects.ts';
import { usageDays } from './migrations/041-usage-days.ts';
import { serviceHistory } from './migrations/050-service-history.ts';
import { bulletin } from './migrations/051-bulletin.ts';
import { invitationProjects } from './migrations/054-invitation-projects.ts';
import { invitationLetters } from './migrations/081-invitation-letters.ts';
import { serviceName } from './migrations/082-service-name.ts';
import { responses } from './migrations/060-responses.ts';
import { continuations } from './migrations/063-continuations.ts';
import { service } from './migrations/066-service.ts';
import { serviceSecret } from './migrations/067-service-secret.ts';
import { gatewayNews } from './migrations/070-gateway-news.ts';
import { tools } from './migrations/074-tools.ts';
import { receipts } from './migrations/076-receipts.ts';
import { feedback } from './migrations/077-feedback.ts';
import { keepingChats } from './migrations/084-keeping-chats.ts';
import { presets } from './migrations/085-presets.ts';
import { summaries } from './migrations/088-summaries.ts';
import { reopenedAnswers } from './migrations/089-reopened-answers.ts';
import { spaces } from './migrations/090-spaces.ts';
import { vectors } from './migrations/091-vectors.ts';
import { keysByAge } from './migrations/095-keys-by-age.ts';
import { responseWriters } from './migrations/096-response-writers.ts';
import { searchInPieces } from './migrations/100-search-in-pieces.ts';
import { putDownAnswers } from './migrations/101-put-down-answers.ts';
import { peopleInOrder } from './migrations/102-people-in-order.ts';
import type { Migration } from './migrations/migration.ts';

/** Every step, in the order in which they are taken. */
export const migrations: readonly Migration[] = [
  people,
  keys,
  usage,
  accounts,
  conversations,
  oneSignInLink,
  providerAccounts,
  audit,
  answerWriters,
  chatSizes,
  documents,
  projects,
  usageDays,
  serviceHistory,
  bulletin,
  invitationProjects,
  responses,
  continuations,
  service,
  serviceSecret,
  gatewayNews,
  invitationLetters,
  serviceName,
  tools,
  receipts,
  feedback,
  keepingChats,
  presets,
  summaries,
  reopenedAnswers,
  spaces,
  vectors,
  keysByAge,
  responseWriters,
  searchInPieces,
  putDownAnswers,
  peopleInOrder,
];

/**
 * Brings the schema up to date in one transaction. The write lock is taken before looking, so of two processes
 * that start together one does the work and the other finds it done.
 */
export function migrate(database: DatabaseSync, logger: Logger): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const applied = readApplied(database);
    refuseNewerDatabase(applied);
    for (const step of migrations) {
      if (applied.has(step.number)) continue;
      database.exec(step.sql);
      database
        .prepare('INSERT INTO migrations (number, name, applied_at) VALUES (?, ?, ?)')
        .run(step.number, step.name, Date.now());
      if (applied.size > 0) tellStep(logger, step);
    }
    database.exec('COMMIT');
    if (applied.size === 0) tellNew(logger);
  } catch (cause) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw cause;
  }
}

export function tellStep(logger: Logger, { number, name }: Migration): void {
  logger.info({ migration: number, name }, 'database schema brought forward');
}

/** A first start has one line for it: nobody needs the history of a database that has none. */
export function tellNew(logger: Logger): void {
  logger.info({ migration: Math.max(...migrations.map(({ number }) => number)) }, 'a new database was made');
}

/** How the schema of a database compares with what this version knows. */
export interface SchemaStanding {
  /** The newest step in the database; 0 when there is none. */
  readonly newest: number;
  /** Steps that the next start brings. */
  readonly missing: readonly number[];
  /** Steps of a newer version. */
  readonly unknown: readonly number[];
}

/** Changes nothing. Throws when this is no database of ours. */
export function readSchemaStanding(database: DatabaseSync): SchemaStanding {
  const applied = database.prepare('SELECT number FROM migrations').all();
  return standingOf(applied.map((row) => Number(row['number'])));
}

export function standingOf(applied: readonly number[]): SchemaStanding {
  const known = migrations.map((step) => step.number);
  return {
    newest: Math.max(0, ...applied),
    missing: known.filter((number) => !applied.includes(number)),
    unknown: applied.filter((number) => !known.includes(number)),
  };
}

function readApplied(database: DatabaseSync): Set<number> {
  database.exec(
    'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
  );
  const rows = database.prepare('SELECT number FROM migrations').all();
  return new Set(rows.map((row) => Number(row['number'])));
}

function refuseNewerDatabase(applied: ReadonlySet<number>): void {
  const { unknown } = standingOf([...applied]);
  if (unknown.length === 0) return;
  throw new OperatorProblem(
    `The database was last used by a newer version of Gatehouse (schema step ${Math.max(...unknown)}). ` +
      'Start that version again, or point GATEHOUSE_DATA_DIR at a copy made before the upgrade.',
  );
}
