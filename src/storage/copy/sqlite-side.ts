import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { CopyTarget } from './copy-side.ts';
import { rowsAtOnce } from './copy-side.ts';
import { toCopied, type CopiedTable, type CopiedValue } from './table-plan.ts';

/** The words of texts, which the triggers would have written down. */
const fillSearch = `
  INSERT INTO title_search (rowid, owner, title) SELECT position, person_id, title FROM chats;
  INSERT INTO message_search (rowid, owner, body)
    SELECT messages.position, person_id, content FROM messages JOIN chats ON chats.id = messages.chat_id
    WHERE state <> 'running';
  INSERT INTO passage_search (rowid, document, body) SELECT position, document_id, content FROM document_passages;
`;

export function openSqliteSide(database: DatabaseSync, label: string): CopyTarget {
  let triggers: { readonly name: string; readonly sql: string }[] = [];

  return {
    label,

    async *read({ name, columns, orderedBy }) {
      const statement = database.prepare(
        `SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${orderedBy.join(', ')}`,
      );
      let rows: CopiedValue[][] = [];
      for (const row of statement.iterate()) {
        rows.push(columns.map((column) => toCopied(row[column])));
        if (rows.length < rowsAtOnce) continue;
        yield rows;
        rows = [];
      }
      yield rows;
    },

    async count({ name }) {
      return Number(database.prepare(`SELECT count(*) AS rows FROM ${name}`).get()?.['rows']);
    },

    /** The rows come as they are; what the triggers do with new ones was done to them long ago. */
    async begin(tables) {
      database.exec('BEGIN IMMEDIATE');
      const rows = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
      triggers = rows.map((row) => ({ name: String(row['name']), sql: String(row['sql']) }));
      for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
      for (const { name } of tables) database.exec(`DELETE FROM ${name}`);
    },

    async write(table, rows) {
      const { name, columns } = table;
      const places = columns.map(() => '?').join(', ');
      const insert = database.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${places})`);
      const blobs = blobColumns(database, table);
      for (const row of rows)
        insert.run(...row.map((value, index) => (blobs.has(index) ? fromHex(value) : value)));
    },

    async settle() {
      database.exec(fillSearch);
      for (const { sql } of triggers) database.exec(sql);
    },

    async commit() {
      database.exec('COMMIT');
    },

    async abandon() {
      if (database.isTransaction) database.exec('ROLLBACK');
    },
  };
}

function blobColumns(database: DatabaseSync, { name, columns }: CopiedTable): ReadonlySet<number> {
  const info = database.prepare(`PRAGMA table_info(${name})`).all();
  const blobs = info
    .filter((row) => row['type'] === 'BLOB')
    .map((row) => columns.indexOf(String(row['name'])));
  return new Set(blobs);
}

function fromHex(value: CopiedValue): SQLInputValue {
  return typeof value === 'string' ? Buffer.from(value.slice(2), 'hex') : value;
}
