import type { Migration } from './migration.ts';

/**
 * Passages as vectors, each number a signed byte, and the model that made them: those of different models do not
 * compare. A document names the model by which all of its passages have vectors.
 */
export const vectors: Migration = {
  number: 91,
  name: 'vectors',
  sql: `
    CREATE TABLE passage_vectors (
      position INTEGER NOT NULL PRIMARY KEY REFERENCES document_passages (position) ON DELETE CASCADE,
      document_id TEXT NOT NULL,
      model TEXT NOT NULL,
      vector BLOB NOT NULL
    ) STRICT;
    CREATE INDEX passage_vectors_in_order ON passage_vectors (document_id, position);

    ALTER TABLE documents ADD COLUMN embedded_by TEXT;
    CREATE INDEX documents_by_vectors ON documents (embedded_by, created_at) WHERE characters > 0;
  `,
};
