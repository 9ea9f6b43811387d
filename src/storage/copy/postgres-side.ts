import type { Client } from 'pg';
import { type CopiedRow, type CopyTarget, rowsAtOnce } from './copy-side.ts';
import { toCopied } from './table-plan.ts';

/** The words of texts, which the triggers would have written down. */
const fillSearch = `
  INSERT INTO title_search SELECT position, search_entry(person_id, title) FROM chats;
  INSERT INTO message_search
    SELECT messages.position, search_entry(person_id, content) FROM messages JOIN chats ON chats.id = messages.chat_id
    WHERE state <> 'running';
  INSERT INTO passage_search SELECT position, search_entry(document_id, content) FROM document_passages;
`;

const numberedColumns = `
  SELECT table_name AS table, column_name AS column FROM information_schema.columns
  WHERE table_schema = current_schema() AND is_identity = 'YES'`;

export function openPostgresSide(client: Client, label: string): CopyTarget {
  return {
    label,

    async *read({ name, columns, orderedBy }) {
      await client.query(
        `DECLARE copied CURSOR WITH HOLD FOR SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${orderedBy.join(', ')}`,
      );
      for (;;) {
        const { rows } = await client.query<Record<string, unknown>>(`FETCH ${rowsAtOnce} FROM copied`);
        if (rows.length === 0) break;
        yield rows.map((row) => columns.map((column) => toCopied(row[column])));
      }
      await client.query('CLOSE copied');
    },

    async count({ name }) {
      const { rows } = await client.query<{ rows: number }>(`SELECT count(*) AS rows FROM ${name}`);
      return rows[0]?.rows ?? 0;
    },

    /** The rows come as they are; what the triggers do with new ones was done to them long ago. */
    async begin(tables) {
      await client.query('BEGIN');
      for (const { name } of tables)
        await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER; DELETE FROM ${name}`);
    },

    async write({ name, columns }, rows) {
      const list = columns.join(', ');
      await client.query(
        `INSERT INTO ${name} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${name}, $1)`,
        [JSON.stringify(rows.map((row) => named(columns, row)))],
      );
    },

    async settle(tables) {
      await client.query(fillSearch);
      await continueNumbering(client);
      for (const { name } of tables) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    },

    async commit() {
      await client.query('COMMIT');
      // Until the server has looked at what came, it would choose its ways through it blindly.
      await client.query('ANALYZE');
    },

    async abandon() {
      await client.query('ROLLBACK').catch(() => {});
    },
  };
}

/** Behind the last row that came along. */
async function continueNumbering(client: Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(numberedColumns);
  for (const { table, column } of rows)
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), max(${column})) FROM ${table} HAVING max(${column}) > 0`,
    );
}

function named(columns: readonly string[], row: CopiedRow): object {
  return Object.fromEntries(columns.map((column, index) => [column, row[index]]));
}
