import type { Migration } from './migration.ts';

/** Records name keys and people without referring to them: the books outlive whoever made the entries. */
export const usage: Migration = {
  number: 3,
  name: 'usage',
  sql: `
    CREATE TABLE usage_records (
      request_id TEXT PRIMARY KEY,
      started_at INTEGER NOT NULL,
      door TEXT NOT NULL,
      caller_kind TEXT NOT NULL,
      key_id TEXT,
      person_id TEXT,
      network TEXT,
      project TEXT,
      address TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      model TEXT NOT NULL,
      engine TEXT,
      ending TEXT NOT NULL,
      status INTEGER NOT NULL,
      input_tokens INTEGER NOT NULL,
      output_tokens INTEGER NOT NULL,
      cached_tokens INTEGER NOT NULL,
      reasoning_tokens INTEGER NOT NULL,
      is_estimated INTEGER NOT NULL,
      request_bytes INTEGER NOT NULL,
      wait_ms REAL NOT NULL,
      first_byte_ms REAL,
      duration_ms REAL NOT NULL
    ) STRICT;
    CREATE INDEX usage_records_by_time ON usage_records (started_at);
    CREATE INDEX usage_records_by_person ON usage_records (person_id, started_at) WHERE person_id IS NOT NULL;
  `,
};
