/**
 * A service with years behind it: `npm run bench:large -- [part]`. Fills SQLite with a million usage records, 20,000
 * keys, 5,000 people and 50,000 chats (or `part` of that, such as 0.01), measures start, keys, pages and searches,
 * copies everything to PostgreSQL and measures there again.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../test/harness/gateway.ts';
import { issueKey } from '../test/harness/key-office.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { waitUntil } from '../test/harness/wait-until.ts';
import { send } from '../test/harness/http-client.ts';
import { Visitor } from '../test/console/visitor.ts';
import { fillWithYears } from './large-service.ts';
import { watchProcessTree } from './process-tree.ts';
import { silentLogger } from '#vocabulary/logger';

const part = Number(process.argv[2] ?? 1);
const amounts = {
  people: Math.ceil(5_000 * part),
  keys: Math.ceil(20_000 * part),
  chats: Math.ceil(50_000 * part),
  usage: Math.ceil(1_000_000 * part),
};
const turns = 9;
const home = mkdtempSync(join(tmpdir(), 'gatehouse-large-'));
const figures = new Map<string, number[]>();
const quick = {
  listen: '127.0.0.1:0',
  engines: [{ name: 'e', kind: 'vllm', url: 'http://127.0.0.1:9' }],
  models: [{ id: 'm', engines: ['e'] }],
};

const dataDir = join(home, 'data');
await using postgres = { server: await startPostgres(), [Symbol.asyncDispose]: () => postgres.server.stop() };
try {
  const begin = await startGateway({ settings: quick, dataDir: made(dataDir), readyWithinMs: 120_000 });
  await begin.stop();
  await timed('filling (SQLite)', () => fillWithYears(join(dataDir, 'gatehouse.db'), amounts));
  await measure(undefined);
  const database = await postgres.server.createDatabase();
  const copying = performance.now();
  const { copyToPostgres } = await import('#storage/copy');
  const { tables } = await copyToPostgres(dataDir, database, silentLogger);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`copied and compared ${rows} rows in ${Math.round((performance.now() - copying) / 1000)} s`);
  await measure(database);
  console.log(`\n| ${'measure'.padEnd(58)} | SQLite | PostgreSQL |`);
  for (const [name, [sqlite, other]] of figures)
    console.log(`| ${name.padEnd(58)} | ${shown(sqlite)} | ${shown(other)} |`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function measure(database: string | undefined): Promise<void> {
  const settings = { ...quick, ...(database !== undefined && { database }) };
  const gateway = await timed('start, until it serves', () =>
    startGateway({ settings, dataDir, readyWithinMs: 300_000 }),
  );
  const processes = watchProcessTree(gateway.pid);
  note('memory at rest (MB)', processes.residentBytes() / 2 ** 20);
  const { secret } = await issueKey(dataDir, { name: 'newest' }, database);
  const headers = { authorization: `Bearer ${secret}` };
  await timed('a new key is accepted', () =>
    waitUntil(
      'the key is accepted',
      async () => (await send(`${gateway.url}/api/models`, { headers })).status === 200,
    ),
  );
  await often('key look-up, with the list of models', () => send(`${gateway.url}/api/models`, { headers }));
  const operator = new Visitor(gateway.url);
  const token =
    /#link=(\S+)/.exec(
      (await gateway.command('people', 'sign-in-link', 'person1@example.org')).stdout,
    )?.[1] ?? '';
  await operator.ok('POST /console/sign-in/link', { body: { token } });
  await often('page of people', () => operator.ok('GET /console/administration/people', { query: {} }));
  await often('people, searched', () =>
    operator.ok('GET /console/administration/people', { query: { q: 'person49' } }),
  );
  await often('page of keys', () => operator.ok('GET /console/administration/keys', { query: {} }));
  await often('keys, searched', () =>
    operator.ok('GET /console/administration/keys', { query: { q: 'key 99' } }),
  );
  await often('keys that nobody uses', () =>
    operator.ok('GET /console/administration/keys', { query: { state: 'unused' } }),
  );
  for (const by of ['person', 'model', 'key'] as const)
    await often(`usage of everybody, 90 days, by ${by}`, () =>
      operator.ok('GET /console/administration/usage', { query: { by, from: daysAgo(90), to: daysAgo(0) } }),
    );
  await often('own usage', () => operator.ok('GET /console/usage', { query: {} }));
  await often('overview of operations', () => operator.ok('GET /console/administration/overview'));
  await often('page of chats', () => operator.ok('GET /console/chats', { query: {} }));
  await often('chats, searched for a rare word', () =>
    operator.ok('GET /console/chats/search', { query: { q: 'word77' } }),
  );
  await often('chats, searched for a frequent word', () =>
    operator.ok('GET /console/chats/search', { query: { q: 'question' } }),
  );
  await often('page of the audit trail', () =>
    operator.ok('GET /console/administration/audit', { query: {} }),
  );
  await often('projects', () => operator.ok('GET /console/administration/projects'));
  await gateway.stop();

  /**
   * The median of a few and the first alone, since caches are cold then; and the processor time of the gateway for each,
   * which tells the same on a busy machine (the server's of PostgreSQL is not in it).
   */
  async function often(name: string, work: () => Promise<unknown>): Promise<void> {
    const tookMs: number[] = [];
    const before = processes.cpuMs();
    for (let turn = 0; turn < turns; turn += 1) {
      const from = performance.now();
      await work();
      tookMs.push(performance.now() - from);
    }
    note(`${name} (processor ms)`, (processes.cpuMs() - before) / turns);
    note(`${name} (ms, first)`, tookMs[0] ?? 0);
    note(`${name} (ms)`, tookMs.toSorted((one, other) => one - other)[turns >> 1] ?? 0);
  }
}

async function timed<Result>(name: string, work: () => Promise<Result> | Result): Promise<Result> {
  const from = performance.now();
  const result = await work();
  note(`${name} (ms)`, performance.now() - from);
  return result;
}

function note(name: string, value: number): void {
  figures.set(name, [...(figures.get(name) ?? []), value]);
  console.log(`${name}: ${shown(value)}`);
}

function shown(value: number | undefined): string {
  return value === undefined ? '' : value < 10 ? value.toFixed(1) : String(Math.round(value));
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

function made(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}
