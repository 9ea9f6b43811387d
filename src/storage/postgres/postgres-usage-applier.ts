import { Client } from 'pg';
import type { UsageApplier } from '#vocabulary/stores';
import type { UsageRecord } from '#vocabulary/usage';
import { addToDaySql, toUsageValues, usageColumns } from '../usage-row.ts';
import { connectionOf, endClient } from './postgres-pool.ts';

/** It is tried again; meanwhile the records are safe in the journal. */
const statementMs = 15_000;

/**
 * The records come as one text; the table itself says what is a number. In the order of their ids, so that two who
 * bring the same records wait for each other instead of in a ring.
 */
const insertSql = `
  INSERT INTO usage_records (${usageColumns.join(', ')})
    SELECT ${usageColumns.join(', ')} FROM json_populate_recordset(NULL::usage_records, $1) ORDER BY request_id
  ON CONFLICT (request_id) DO NOTHING RETURNING request_id`;

const addToDays = addToDaySql('request_id = ANY($1::text[])');

/**
 * Runs in a thread of the journal with a connection of its own. A record counts once, in itself and in the sums of its
 * day, whoever brings it and however often. Throws when the database cannot take the records.
 */
export function openUsageApplier(address: string): UsageApplier {
  const client = new Client(connectionOf(address, statementMs));
  client.on('error', () => {});
  let connected: Promise<unknown> | undefined;

  return {
    async apply(records) {
      await (connected ??= client.connect());
      await client.query('BEGIN');
      try {
        const { rows } = await client.query<{ request_id: string }>(insertSql, [toJson(records)]);
        if (rows.length > 0) await client.query(addToDays, [rows.map((row) => row.request_id)]);
        await client.query('COMMIT');
      } catch (cause) {
        await client.query('ROLLBACK').catch(() => {});
        throw cause;
      }
    },
    async close() {
      await endClient(client);
    },
  };
}

function toJson(records: readonly UsageRecord[]): string {
  const rows = records.map((record) => {
    const values = toUsageValues(record).map(withoutZeros);
    return Object.fromEntries(usageColumns.map((column, index) => [column, values[index]]));
  });
  return JSON.stringify(rows);
}

function withoutZeros(value: string | number | null): string | number | null {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}
