import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { Client } from 'pg';
import { openDatabase, type Storage } from '#storage';
import type { UsageApplier } from '#vocabulary/stores';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { silentLogger } from '#vocabulary/logger';

/** One of the two databases behind the stores, empty at first. */
export interface House {
  /** A connection of its own; all see the same. */
  open(): Promise<Storage>;
  openApplier(): Promise<UsageApplier>;
  /** In the database's own words, past the stores. */
  execute(sql: string): Promise<void>;
}

/** What holds for one must hold for the other: tests made with this run on both. */
export const databases: readonly { readonly name: string; build(): Promise<House> }[] = [
  { name: 'SQLite', build: buildOnSqlite },
  { name: 'PostgreSQL', build: buildOnPostgres },
];

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-databases-'));
let houses = 0;
let postgres: Promise<PostgresServer> | undefined;
after(async () => {
  await (await postgres)?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** One server for all tests of a file, started when first needed. */
export function sharedPostgres(): Promise<PostgresServer> {
  return (postgres ??= startPostgres());
}

async function buildOnSqlite(): Promise<House> {
  const dataDir = freshDirectory();
  return {
    ...houseIn(dataDir, undefined),
    async execute(sql) {
      const other = new DatabaseSync(join(dataDir, 'gatehouse.db'));
      other.exec(sql);
      other.close();
    },
  };
}

async function buildOnPostgres(): Promise<House> {
  const address = await (await sharedPostgres()).createDatabase();
  return {
    ...houseIn(freshDirectory(), address),
    async execute(sql) {
      const client = new Client({ connectionString: address });
      await client.connect();
      try {
        await client.query(sql);
      } finally {
        await client.end();
      }
    },
  };
}

function freshDirectory(): string {
  houses += 1;
  return join(scratch, String(houses));
}

function houseIn(dataDir: string, database: string | undefined): Omit<House, 'execute'> {
  const open = () => openDatabase({ dataDir, database, logger: silentLogger, queriesRunIn: 'this-thread' });
  return {
    open,
    async openApplier() {
      const storage = await open();
      const { moduleUrl, location } = storage.usageApplier;
      await storage.close();
      const module = (await import(moduleUrl)) as { openUsageApplier(location: string): UsageApplier };
      return module.openUsageApplier(location);
    },
  };
}
