import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { type Gateway, startGateway } from '#harness/gateway';
import { freePort } from '#harness/free-port';
import { send } from '#harness/http-client';
import { type PostgresServer, startPostgres } from '#harness/postgres';
import { ask, mark, type Service, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import { Visitor } from '../console/visitor.ts';

/** Two real gateways, each with a data folder of its own, on one real PostgreSQL. */
const postgres: PostgresServer = await startPostgres();
const database = await postgres.createDatabase();
const sharedPlace = `127.0.0.1:${await freePort()}`;
const service: Service = await startService({
  settings: { database, service: 'campus', sharedListen: sharedPlace },
});
const here: Gateway = service.gateway;
let there: Gateway = await startGateway({ settings: service.settings });
after(async () => {
  await there.stop();
  await service[Symbol.asyncDispose]();
  await postgres.stop();
});

async function query<Row extends object>(sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: database });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

function complete(gateway: Gateway, secret: string, content = mark()) {
  return send(`${gateway.url}/api/chat/completions`, {
    method: 'POST',
    headers: { authorization: `bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'beta-4-scout', messages: ask(content) }),
  });
}

const isKnown = async (gateway: Gateway, secret: string) =>
  (await send(`${gateway.url}/api/models`, { headers: { authorization: `bearer ${secret}` } })).status ===
  200;

async function usageOf(keyId: string): Promise<{ records: number; ids: number; summed: number }> {
  const [row] = await query<{ records: string; ids: string; summed: string }>(`
    SELECT count(*) AS records, count(DISTINCT request_id) AS ids,
      (SELECT coalesce(sum(requests), 0) FROM usage_days WHERE key_id = '${keyId}') AS summed
    FROM usage_records WHERE key_id = '${keyId}'`);
  return { records: Number(row?.records), ids: Number(row?.ids), summed: Number(row?.summed) };
}

test('a key made at one gateway works at the other, and revoked it works nowhere, also when nobody was told', async (context) => {
  for (const trigger of ['ENABLE', 'DISABLE']) {
    await query(`ALTER TABLE access_changes ${trigger} TRIGGER access_changes_told`);
    const key = await here.createKey({ name: trigger });
    await waitUntil('the other gateway knows the key', () => isKnown(there, key.secret));
    assert.equal((await complete(here, key.secret)).status, 200);
    assert.equal((await complete(there, key.secret)).status, 200);
    await query(`UPDATE api_keys SET revoked_at = 1 WHERE id = '${key.id}'`);
    const revokedAt = performance.now();
    await waitUntil('the other gateway refuses it', async () => !(await isKnown(there, key.secret)));
    context.diagnostic(`${trigger}: refused after ${Math.round(performance.now() - revokedAt)} ms`);
    await waitUntil('this gateway refuses it', async () => !(await isKnown(here, key.secret)));
    await waitUntil('both requests are on the books', async () => (await usageOf(key.id)).records === 2);
  }
  await query('ALTER TABLE access_changes ENABLE TRIGGER access_changes_told');
});

test('at the port that they share both gateways answer, and when one stops the other answers everybody', async () => {
  const whoAnswers = async () => {
    const answer = await send(`http://${sharedPlace}/metrics`, { headers: { connection: 'close' } });
    assert.equal(answer.status, 200);
    return /^process_start_time_seconds.* (\S+)$/m.exec(answer.text)?.[1];
  };
  const seen = new Set<string | undefined>();
  await waitUntil('both have answered', async () => seen.add(await whoAnswers()).size === 2);
  assert.ok(!seen.has(undefined));
  await there.stop();
  const left = new Set(await Promise.all(Array.from({ length: 30 }, whoAnswers)));
  assert.equal(left.size, 1);
  there = await startGateway({ settings: service.settings });
});

test('a chat is seen at both gateways, and what a dead one was writing is interrupted with all that was stored', async () => {
  const link = await waitUntil('a link is printed', () => /#link=(\S+)/.exec(there.logs())?.[1]);
  const [atHome, abroad] = [new Visitor(here.url), new Visitor(there.url)];
  await atHome.ok('POST /console/sign-in/link', { body: { token: link } });
  for (const [name, value] of atHome.cookies) abroad.cookies.set(name, value);
  abroad.csrfToken = atHome.csrfToken;
  const { chat, generation } = await abroad.ok('POST /console/generations', {
    body: {
      chatId: null,
      parentId: null,
      newMessages: [{ role: 'user', content: `${mark()} sim:frames=100000 sim:every=20` }],
      model: 'beta-4-scout',
      requestKey: mark(),
    },
  });
  const live = abroad.listenToAnswer(generation.id);
  await live.until((event) => event.type === 'content');
  live.close();
  const answer = async () =>
    (await atHome.ok('GET /console/chats/:chatId', { chatId: chat.id })).messages.at(-1);
  await waitUntil('some of it is stored', async () => ((await answer())?.content.length ?? 0) > 0);
  assert.equal((await answer())?.state, 'running');
  await there.kill();
  await waitUntil('it is interrupted', async () => (await answer())?.state === 'interrupted');
  assert.ok(((await answer())?.content.length ?? 0) > 0);
  there = await startGateway({ settings: service.settings });
});

test('a gateway that stops while its database is frozen ends, and its next start brings the usage in once', async (context) => {
  const { id, secret } = await here.createKey({ name: 'frozen' });
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-frozen-'));
  try {
    const leaver = await startGateway({ settings: service.settings, dataDir });
    await waitUntil('it knows the key', () => isKnown(leaver, secret));
    postgres.freeze();
    try {
      for (let asked = 0; asked < 3; asked += 1) assert.equal((await complete(leaver, secret)).status, 200);
      const toldAt = performance.now();
      await leaver.stop();
      assert.equal(await leaver.exited, 0, leaver.logs());
      context.diagnostic(`it ended after ${Math.round(performance.now() - toldAt)} ms`);
    } finally {
      postgres.thaw();
    }
    await using _next = await startGateway({ settings: service.settings, dataDir });
    const once = { records: 3, ids: 3, summed: 3 };
    await waitUntil('everything is on the books once', async () =>
      isDeepStrictEqual(await usageOf(id), once),
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('without its database a gateway goes on, refuses what it cannot do, and afterwards nothing is lost or doubled', async () => {
  const { id, secret } = await here.createKey({ name: 'survivor' });
  await waitUntil('the other gateway knows the key', () => isKnown(there, secret));
  let asked = 0;
  const goesOn = async () => {
    for (const gateway of [here, there]) {
      assert.equal((await complete(gateway, secret)).status, 200);
      asked += 1;
    }
  };
  const isRefused = async () => {
    const answer = await new Visitor(here.url).call('POST /console/sign-in/link', {
      body: { token: 'x'.repeat(43) },
    });
    assert.equal(answer.status, 503, answer.text);
    assert.match(
      answer.text,
      /(cannot be reached|does not answer in time) at the moment.*"database_unavailable"/,
    );
  };
  const isOnTheBooks = () =>
    waitUntil('everything is on the books', async () => (await usageOf(id)).records === asked);

  await goesOn();
  await isOnTheBooks();

  const isReachable = async () =>
    /^gatehouse_database_reachable 1$/m.test((await send(here.metricsUrl)).text);
  await waitUntil('the metrics say that the database is there', isReachable);

  await postgres.kill();
  await goesOn();
  await isRefused();
  assert.equal((await send(`${here.url}/readyz`)).status, 200);
  await waitUntil('the metrics say that it is not', async () => !(await isReachable()));
  await goesOn();
  await postgres.start();
  await isOnTheBooks();

  postgres.freeze();
  await goesOn();
  await isRefused();
  await goesOn();
  postgres.thaw();
  await isOnTheBooks();

  const { records, ids, summed } = await usageOf(id);
  assert.deepEqual([records, ids, summed], [asked, asked, asked]);
  await waitUntil('keys are looked at again', async () => {
    const fresh = await here.createKey({ name: 'after' });
    return await isKnown(there, fresh.secret);
  });
  assert.doesNotMatch(here.logs() + there.logs(), /a-secret-of-the-test/);
});
