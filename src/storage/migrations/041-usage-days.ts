import type { Migration } from './migration.ts';

/**
 * What was used, added up by day (UTC, counted from 1970) and by whom, so that reports need not read every request and
 * the requests themselves can be forgotten after a while. An empty text stands for nobody.
 */
export const usageDays: Migration = {
  number: 41,
  name: 'usage days',
  sql: `
    CREATE TABLE usage_days (
      day INTEGER NOT NULL,
      person_id TEXT NOT NULL,
      key_id TEXT NOT NULL,
      project TEXT NOT NULL,
      network TEXT NOT NULL,
      door TEXT NOT NULL,
      model TEXT NOT NULL,
      requests INTEGER NOT NULL,
      unfinished_requests INTEGER NOT NULL,
      input_tokens INTEGER NOT NULL,
      output_tokens INTEGER NOT NULL,
      cached_tokens INTEGER NOT NULL,
      reasoning_tokens INTEGER NOT NULL,
      estimated_tokens INTEGER NOT NULL,
      cost REAL NOT NULL,
      PRIMARY KEY (day, person_id, key_id, project, network, door, model)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX usage_days_by_person ON usage_days (person_id, day);
    INSERT INTO usage_days
      SELECT started_at / 86400000, coalesce(person_id, ''), coalesce(key_id, ''), coalesce(project, ''),
        coalesce(network, ''), door, model, count(*), sum(CASE WHEN ending <> 'completed' THEN 1 ELSE 0 END), sum(input_tokens),
        sum(output_tokens), sum(cached_tokens), sum(reasoning_tokens),
        sum(is_estimated * (input_tokens + output_tokens)), sum(cost)
      FROM usage_records GROUP BY 1, 2, 3, 4, 5, 6, 7;
  `,
};
