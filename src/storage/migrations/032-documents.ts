import type { Migration } from './migration.ts';

const tables = `
    CREATE TABLE documents (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      media_type TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      page_count INTEGER NOT NULL,
      characters INTEGER NOT NULL,
      digest TEXT,
      text_digest TEXT,
      state TEXT NOT NULL,
      stored_bytes INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      removed_at INTEGER
    ) STRICT;
    CREATE INDEX documents_by_person ON documents (person_id, stored_bytes);

    CREATE TABLE document_parts (
      document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (document_id, number)
    ) STRICT;

    CREATE TABLE document_passages (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
      page INTEGER NOT NULL,
      start INTEGER NOT NULL,
      content TEXT NOT NULL
    ) STRICT;
    CREATE INDEX document_passages_in_order ON document_passages (document_id, page, start);

    CREATE TABLE document_uses (
      document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
      message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
      PRIMARY KEY (document_id, message_id)
    ) STRICT;
    CREATE INDEX document_uses_by_message ON document_uses (message_id);

    ALTER TABLE messages ADD COLUMN documents TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE messages ADD COLUMN context TEXT;

`;

/**
 * Originals lie here in parts, beside everything else: one backup and one deletion reach them. The text of a page is
 * its passages one after the other. The search index holds words only; the document is a word like any other, so that
 * a search reads the entries of the documents it asks for and no others.
 */
export const documents: Migration = {
  number: 32,
  name: 'documents',
  sql: `
    ${tables}
    CREATE VIRTUAL TABLE passage_search USING fts5 (
      document, body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
    );
    CREATE TRIGGER document_passages_inserted AFTER INSERT ON document_passages BEGIN
      INSERT INTO passage_search (rowid, document, body) VALUES (new.position, new.document_id, new.content);
    END;
    CREATE TRIGGER document_passages_removed AFTER DELETE ON document_passages BEGIN
      DELETE FROM passage_search WHERE rowid = old.position;
    END;
  `,
  postgres: `
    ${tables}
    CREATE TABLE passage_search (
      rowid INTEGER NOT NULL PRIMARY KEY REFERENCES document_passages (position) ON DELETE CASCADE,
      words tsvector NOT NULL
    );
    CREATE TRIGGER document_passages_inserted AFTER INSERT ON document_passages BEGIN
      INSERT INTO passage_search VALUES (new.position, search_entry(new.document_id, new.content));
    END;
  `,
};
