import { DatabaseSync } from 'node:sqlite';

export interface Amounts {
  readonly people: number;
  readonly keys: number;
  readonly chats: number;
  readonly usage: number;
}

const yearMs = 365 * 86_400_000;

/** Fills the database of a service that is not running. Person 1 is an administrator and has the longest list of chats. */
export function fillWithYears(path: string, amounts: Amounts): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN');
  const now = Date.now();
  const insert = (table: string, row: Readonly<Record<string, unknown>>) => {
    const columns = Object.keys(row);
    return database.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`,
    );
  };
  const fill = (
    table: string,
    count: number,
    rowOf: (index: number) => Record<string, string | number | null>,
  ) => {
    const statement = insert(table, rowOf(1));
    for (let index = 1; index <= count; index += 1) statement.run(rowOf(index));
  };

  fill('people', amounts.people, (index) => ({
    id: `person_${index}`,
    email: `person${index}@example.org`,
    email_folded: `person${index}@example.org`,
    email_order: `person${String(index).padStart(12, '0')} example.org`,
    name: `Person ${index}`,
    role: index === 1 ? 'administrator' : 'person',
    state: 'active',
    password_hash: null,
    created_at: now - yearMs,
    last_seen_at: now - (index % 90) * 86_400_000,
  }));
  fill('api_keys', amounts.keys, (index) => ({
    id: `key_${index}`,
    person_id: `person_${1 + (index % amounts.people)}`,
    name: `key ${index}`,
    prefix: `gh_${String(index).padStart(6, '0')}`,
    digest: `digest ${index}`,
    models: '[]',
    networks: '[]',
    created_at: now - (index % 365) * 86_400_000,
    expires_at: null,
    revoked_at: index % 10 === 0 ? now - 1000 : null,
  }));
  // One in ten chats is of person 1.
  const ownerOf = (chat: number) => `person_${chat % 10 === 0 ? 1 : 1 + (chat % amounts.people)}`;
  fill('chats', amounts.chats, (index) => ({
    id: `chat_${index}`,
    person_id: ownerOf(index),
    title: `About word${index % 997}`,
    title_source: 'model',
    model: 'm',
    effort: null,
    system_prompt: '',
    parameters: '{}',
    is_pinned: 0,
    active_leaf_id: `message_${index * 4}`,
    created_at: now - (index % 365) * 86_400_000,
    updated_at: now - (index % 365) * 86_400_000 + index,
  }));
  fill('messages', amounts.chats * 4, (index) => ({
    id: `message_${index}`,
    chat_id: `chat_${Math.ceil(index / 4)}`,
    parent_id: index % 4 === 1 ? null : `message_${index - 1}`,
    role: index % 2 === 1 ? 'user' : 'assistant',
    content: `A question about word${index % 4999} and how it goes with word${index % 89}. ${'And so on. '.repeat(20)}`,
    reasoning: '',
    tool_calls: '[]',
    model: 'm',
    state: 'complete',
    created_at: now - yearMs + index,
  }));
  fill('usage_records', amounts.usage, (index) => {
    const key = 1 + (index % amounts.keys);
    return {
      request_id: `request_${String(index).padStart(9, '0')}`,
      started_at: now - Math.floor((index / amounts.usage) * yearMs),
      door: 'proxy',
      caller_kind: 'key',
      key_id: `key_${key}`,
      person_id: `person_${1 + (key % amounts.people)}`,
      network: null,
      project: 'everyone',
      address: '192.0.2.7',
      endpoint: 'chat',
      model: index % 3 === 0 ? 'm' : 'other',
      engine: 'e',
      ending: 'completed',
      status: 200,
      input_tokens: 500 + (index % 1000),
      output_tokens: 100 + (index % 400),
      cached_tokens: 0,
      reasoning_tokens: 0,
      is_estimated: 0,
      request_bytes: 2000,
      wait_ms: 1,
      first_byte_ms: 80,
      duration_ms: 3000,
      cost: 1,
    };
  });
  database.exec(`
    INSERT INTO usage_days
      SELECT started_at / 86400000, coalesce(person_id, ''), coalesce(key_id, ''), coalesce(project, ''),
        coalesce(network, ''), door, model, count(*), 0, sum(input_tokens), sum(output_tokens), sum(cached_tokens),
        sum(reasoning_tokens), 0, sum(cost)
      FROM usage_records GROUP BY 1, 2, 3, 4, 5, 6, 7;
    COMMIT;
  `);
  database.close();
}
