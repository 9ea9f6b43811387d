/** What a thread needs to speak with SQLite: no query is made here, so that each thread loads next to nothing. */
import { DatabaseSync } from 'node:sqlite';
import { isUnspaced } from '#contract/unspaced-text';
import { createHighlighter, maxLookedAt } from './highlighter.ts';
import { inPieces } from './text-pieces.ts';

/** While opening, sleeping on a lock harms nobody yet. */
export const openingBusyMs = 15_000;

/**
 * A connection that sleeps for up to `busyWaitMs` when another one writes. Commits reach the disk before they
 * count: a revoked key does not come back to life with the power.
 */
export function connect(path: string, busyWaitMs: number): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: openingBusyMs, enableForeignKeyConstraints: true });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    database.exec(`PRAGMA busy_timeout = ${busyWaitMs}`);
    addSearchFunctions(database);
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/** A connection that cannot write. It sees what was committed when a query begins, and waits for nobody who writes. */
export function connectForReading(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: openingBusyMs });
  addSearchFunctions(database);
  return database;
}

/**
 * `highlight_words(text, terms, length)`: a snippet as JSON. `is_unspaced(text)` and `in_pieces(text)`: what the piece
 * indexes are made with. All give null of a text that is null.
 */
function addSearchFunctions(database: DatabaseSync): void {
  database.function('highlight_words', { deterministic: true }, (text, terms, length) => {
    if (typeof text !== 'string') return null;
    const highlight = createHighlighter({ terms: JSON.parse(String(terms)) as string[] });
    return JSON.stringify(highlight(text, Number(length)));
  });
  database.function('is_unspaced', { deterministic: true }, (text) =>
    typeof text === 'string' ? Number(isUnspaced(text)) : null,
  );
  database.function('in_pieces', { deterministic: true }, (text) =>
    typeof text === 'string' ? inPieces(text.slice(0, maxLookedAt)) : null,
  );
}

/**
 * They belong to the connection and not to the file: they call what `addSearchFunctions` brings, and a process of an
 * older version, which writes on until it has handed over, has none of it.
 */
export function addPieceTriggers(database: DatabaseSync): void {
  database.exec(`
    CREATE TEMP TRIGGER chats_inserted_pieces AFTER INSERT ON main.chats WHEN is_unspaced(new.title) BEGIN
      INSERT INTO title_piece_search (rowid, owner, pieces)
        VALUES (new.position, new.person_id, in_pieces(new.title));
    END;
    CREATE TEMP TRIGGER chats_renamed_pieces AFTER UPDATE OF title ON main.chats
      WHEN old.title <> new.title AND is_unspaced(new.title) BEGIN
      INSERT INTO title_piece_search (rowid, owner, pieces)
        VALUES (new.position, new.person_id, in_pieces(new.title));
    END;
    CREATE TEMP TRIGGER messages_inserted_pieces AFTER INSERT ON main.messages
      WHEN new.state <> 'running' AND is_unspaced(new.content) BEGIN
      INSERT INTO message_piece_search (rowid, owner, pieces)
        SELECT new.position, person_id, in_pieces(new.content) FROM chats WHERE id = new.chat_id;
    END;
    CREATE TEMP TRIGGER messages_finished_pieces AFTER UPDATE OF state ON main.messages
      WHEN old.state = 'running' AND new.state <> 'running' AND is_unspaced(new.content) BEGIN
      INSERT INTO message_piece_search (rowid, owner, pieces)
        SELECT new.position, person_id, in_pieces(new.content) FROM chats WHERE id = new.chat_id;
    END;
  `);
}
