import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#harness/free-port';
import { type Gateway, startGateway } from '#harness/gateway';
import { openStream, type ReceivedStream } from '#harness/http-client';
import { issueKey } from '#harness/key-office';
import { ask } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import { people } from '../../src/storage/migrations/001-people.ts';
import { keys } from '../../src/storage/migrations/002-keys.ts';
import { usage } from '../../src/storage/migrations/003-usage.ts';

test('an upgrade under load, on the database of an older version, loses no answer, key or record', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-'));
  try {
    const { secret } = await issueKey(dataDir, {});
    makeOlder(dataDir);
    await using engine = await startSimulatedEngine({ flavour: 'vllm', models: ['beta'] });
    const port = await freePort();
    const settings = {
      listen: `127.0.0.1:${port}`,
      engines: [{ name: 'gpu', kind: 'vllm', url: engine.url }],
      models: [{ id: 'beta', engines: ['gpu'] }],
    };
    const start = () => startGateway({ settings, dataDir });
    let gateway: Gateway = await start();
    const load = startPatientCallers(`http://127.0.0.1:${port}/api/chat/completions`, secret);
    after(() => load.stop());
    await waitUntil('answers have come', () => load.answered.size >= 12);

    gateway.signal('SIGTERM');
    assert.equal(await gateway.exited, 0);
    const answeredBefore = load.answered.size;
    gateway = await start();
    await waitUntil('answers come again', () => load.answered.size >= answeredBefore + 12);
    assert.deepEqual(await load.stop(), [], 'no answer that had begun was cut');
    assert.ok(load.retries() > 0, 'somebody met the closed door and came again');

    const records = await waitUntil('all answers are on the books', () => {
      const found = gateway.usageRecords();
      return [...load.answered].every((id) => found.some((record) => record.request_id === id)) && found;
    });
    for (const id of load.answered) {
      const of = records.filter((record) => record.request_id === id);
      assert.deepEqual(
        of.map(({ ending }) => ending),
        ['completed'],
      );
    }
    await gateway.stop();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** The database as a version with fewer schema steps would have left it, with the same person and key. */
function makeOlder(dataDir: string): void {
  const aside = join(dataDir, 'newer');
  mkdirSync(aside);
  renameSync(join(dataDir, 'gatehouse.db'), join(aside, 'gatehouse.db'));
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'));
  database.exec(
    'CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
  );
  for (const step of [people, keys, usage]) {
    database.exec(step.sql);
    database.prepare('INSERT INTO migrations VALUES (?, ?, 0)').run(step.number, step.name);
  }
  database.exec(`ATTACH '${join(aside, 'gatehouse.db')}' AS newer`);
  for (const table of ['people', 'api_keys']) {
    const columns = database
      .prepare(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map((row) => row['name'])
      .join(', ');
    database.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM newer.${table}`);
  }
  database.close();
  rmSync(aside, { recursive: true });
}

/** As OpenAI's libraries do: a refused connection or a 503 is tried again, an answer that has begun is not. */
function startPatientCallers(url: string, secret: string) {
  const answered = new Set<string>();
  const cut: string[] = [];
  const over = new AbortController();
  let retries = 0;
  const body = { model: 'beta', stream: true, messages: ask('sim:frames=6 sim:every=20') };
  const headers = { authorization: `bearer ${secret}` };

  async function call(): Promise<void> {
    let stream: ReceivedStream;
    try {
      stream = await openStream(url, { body, headers });
    } catch {
      retries += 1;
      await delay(50);
      return;
    }
    const end = await stream.ended;
    const text = stream.raw().toString('utf8');
    if (stream.status === 503) {
      assert.ok(stream.headers['retry-after'] !== undefined);
      retries += 1;
      await delay(50);
    } else if (stream.status === 200 && end === 'complete' && stream.frames().at(-1) === '[DONE]') {
      answered.add(String(stream.headers['x-request-id']));
    } else cut.push(`${stream.status} ${end} ${text}`);
  }

  const callers = Promise.all(
    [1, 2, 3, 4].map(async () => {
      while (!over.signal.aborted) await call();
    }),
  );
  return {
    answered,
    retries: () => retries,
    stop: async () => {
      over.abort();
      await callers;
      return cut;
    },
  };
}
