import { unspacedLetters } from '#contract/unspaced-text';
import type { Migration } from './migration.ts';

/** Two letters each, of four bytes at most: an index entry holds them. */
const maxIndexedCharacters = 100_000;

const progress = `
    CREATE TABLE piece_search_progress (
      texts TEXT PRIMARY KEY,
      done_to INTEGER NOT NULL
    ) STRICT;
    INSERT INTO piece_search_progress VALUES ('titles', 0), ('messages', 0);
`;

/**
 * Texts in scripts without blanks between words have a second entry, cut into pieces of two letters, with the words of
 * other scripts that stand among them. What was there before is brought in by and by, up to `done_to`. In SQLite the
 * triggers that add come with the connection (`sqlite-search.ts`); these here take away.
 */
export const searchInPieces: Migration = {
  number: 100,
  name: 'search-in-pieces',
  sql: `
    ${progress}
    CREATE VIRTUAL TABLE title_piece_search USING fts5 (
      owner, pieces, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2', prefix='1'
    );
    CREATE VIRTUAL TABLE message_piece_search USING fts5 (
      owner, pieces, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2', prefix='1'
    );
    CREATE TRIGGER chats_renamed_pieces BEFORE UPDATE OF title ON chats WHEN old.title <> new.title BEGIN
      DELETE FROM title_piece_search WHERE rowid = old.position;
    END;
    CREATE TRIGGER chats_removed_pieces AFTER DELETE ON chats BEGIN
      DELETE FROM title_piece_search WHERE rowid = old.position;
    END;
    CREATE TRIGGER messages_reopened_pieces AFTER UPDATE OF state ON messages
      WHEN old.state <> 'running' AND new.state = 'running' BEGIN
      DELETE FROM message_piece_search WHERE rowid = old.position;
    END;
    CREATE TRIGGER messages_removed_pieces AFTER DELETE ON messages WHEN old.state <> 'running' BEGIN
      DELETE FROM message_piece_search WHERE rowid = old.position;
    END;
  `,
  postgres: `
    ${progress}
    CREATE FUNCTION is_unspaced(content text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $body$
      SELECT content ~ '[${unspacedLetters}]'
    $body$;
    CREATE FUNCTION apart(content text) RETURNS text LANGUAGE sql IMMUTABLE AS $body$
      SELECT CASE WHEN is_unspaced(content) THEN regexp_replace(content, '[${unspacedLetters}]+', ' ', 'g')
        ELSE content END
    $body$;
    CREATE FUNCTION pieces_of(content text) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $body$
      SELECT letter || next
      FROM regexp_matches(content, '[${unspacedLetters}]+', 'g') AS run, string_to_array(run[1], NULL) AS letters,
        unnest(letters, letters[2:] || ARRAY['']) AS pairs (letter, next)
    $body$;
    CREATE FUNCTION piece_entry(owner text, content text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $body$
      SELECT array_to_tsvector(ARRAY(
        SELECT chr(1) || owner UNION ALL SELECT words_of(apart(looked_at)) UNION ALL SELECT pieces_of(looked_at)))
      FROM normalize(left(content, ${maxIndexedCharacters}), NFC) AS looked_at
    $body$;
    CREATE FUNCTION piece_query(owner text, pieces text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $body$
      SELECT (quote_literal(chr(1) || owner) || coalesce(string_agg(' & ' || quote_literal(piece) ||
        CASE WHEN length(piece) = 1 THEN ':*' ELSE '' END, ''), ''))::tsquery
      FROM unnest(pieces) AS piece
    $body$;

    CREATE TABLE title_piece_search (
      rowid INTEGER NOT NULL PRIMARY KEY REFERENCES chats (position) ON DELETE CASCADE,
      words tsvector NOT NULL
    );
    CREATE INDEX title_piece_search_by_word ON title_piece_search USING gin (words);
    CREATE TABLE message_piece_search (
      rowid INTEGER NOT NULL PRIMARY KEY REFERENCES messages (position) ON DELETE CASCADE,
      words tsvector NOT NULL
    );
    CREATE INDEX message_piece_search_by_word ON message_piece_search USING gin (words);

    CREATE TRIGGER chats_inserted_pieces AFTER INSERT ON chats WHEN is_unspaced(new.title) BEGIN
      INSERT INTO title_piece_search VALUES (new.position, piece_entry(new.person_id, new.title));
    END;
    CREATE TRIGGER chats_renamed_pieces AFTER UPDATE OF title ON chats WHEN old.title <> new.title BEGIN
      DELETE FROM title_piece_search WHERE rowid = old.position;
      INSERT INTO title_piece_search
        SELECT new.position, piece_entry(new.person_id, new.title) WHERE is_unspaced(new.title);
    END;
    CREATE TRIGGER messages_inserted_pieces AFTER INSERT ON messages
      WHEN new.state <> 'running' AND is_unspaced(new.content) BEGIN
      INSERT INTO message_piece_search
        SELECT new.position, piece_entry(person_id, new.content) FROM chats WHERE id = new.chat_id;
    END;
    CREATE TRIGGER messages_finished_pieces AFTER UPDATE OF state ON messages
      WHEN old.state = 'running' AND new.state <> 'running' AND is_unspaced(new.content) BEGIN
      INSERT INTO message_piece_search
        SELECT new.position, piece_entry(person_id, new.content) FROM chats WHERE id = new.chat_id;
    END;
    CREATE TRIGGER messages_reopened_pieces AFTER UPDATE OF state ON messages
      WHEN old.state <> 'running' AND new.state = 'running' BEGIN
      DELETE FROM message_piece_search WHERE rowid = old.position;
    END;
  `,
};
