import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Gateway, startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import { type PostgresServer, startPostgres } from '#harness/postgres';
import { ask, mark, type Service, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import { Visitor } from '../console/visitor.ts';
import { startDelayedRelay } from './delayed-relay.ts';

/** Two real gateways: one behind a slow network, one whose clock is a minute ahead. */
const postgres: PostgresServer = await startPostgres();
const database = await postgres.createDatabase();
const relay = await startDelayedRelay(Number(new URL(database).port));
const perMinute = 20;
const shared = {
  service: 'campus',
  projects: [{ id: 'paced', memberLimits: { requestsPerMinute: perMinute } }],
};
const service: Service = await startService({
  settings: { ...shared, database: database.replace(/:\d+\//, `:${relay.port}/`) },
});
const here: Gateway = service.gateway;
const ahead: Gateway = await startGateway({
  settings: { ...service.settings, database },
  env: {
    NODE_OPTIONS: `--import=${new URL('skewed-clock.ts', import.meta.url).href}`,
    CLOCK_SKEW_MS: '60000',
  },
});
after(async () => {
  relay.delayMs = 0;
  await ahead.stop();
  await service[Symbol.asyncDispose]();
  await relay.stop();
  await postgres.stop();
});

async function query<Row extends object>(sql: string, address = database): Promise<Row[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const complete = ({ url }: Gateway, secret: string) =>
  send(`${url}/api/chat/completions`, {
    headers: { authorization: `bearer ${secret}` },
    body: { model: 'beta-4-scout', messages: ask(mark()) },
  });

const isKnown = async ({ url }: Gateway, secret: string) =>
  (await send(`${url}/api/models`, { headers: { authorization: `bearer ${secret}` } })).status === 200;

/** The same person at both gateways. */
const signedIn = (async () => {
  const link = await waitUntil('a link is printed', () => /#link=(\S+)/.exec(ahead.logs())?.[1]);
  const visitors = [new Visitor(here.url), new Visitor(ahead.url)] as const;
  await visitors[0].ok('POST /console/sign-in/link', { body: { token: link } });
  for (const [name, value] of visitors[0].cookies) visitors[1].cookies.set(name, value);
  visitors[1].csrfToken = visitors[0].csrfToken;
  return visitors;
})();

/** Asks for answers while the database is in trouble; afterwards each of them is on the books once. */
async function keepAsking(name: string): Promise<{ ask(): Promise<void>; settled(): Promise<void> }> {
  const { id, secret } = await ahead.createKey({ name });
  await waitUntil('the gateway knows the key', () => isKnown(here, secret));
  let asked = 0;
  return {
    async ask() {
      assert.equal((await complete(here, secret)).status, 200);
      asked += 1;
    },
    async settled() {
      const count = `SELECT count(*)::int AS records, count(DISTINCT request_id)::int AS requests,
        (SELECT coalesce(sum(requests), 0)::int FROM usage_days WHERE key_id = '${id}') AS summed
        FROM usage_records WHERE key_id = '${id}'`;
      const expected = { records: asked, requests: asked, summed: asked };
      const isRight = async () => JSON.stringify((await query(count))[0]) === JSON.stringify(expected);
      await waitUntil('every answer is on the books once', isRight);
    },
  };
}

test('what cannot be served from is told in a sentence without a password, and the program ends', async () => {
  const [newer, fixed] = [await postgres.createDatabase(), await postgres.createDatabase()];
  await query('CREATE TABLE migrations (number int PRIMARY KEY, name text, applied_at bigint)', newer);
  await query("INSERT INTO migrations VALUES (999, 'from the future', 0)", newer);
  await query(`ALTER DATABASE ${fixed.split('/').at(-1)} SET default_transaction_read_only = on`, fixed);
  const { service: _, ...nameless } = service.settings;
  const cases: readonly (readonly [string, RegExp])[] = [
    [newer, /newer version of Gatehouse/],
    [fixed, /is read-only, perhaps a standby/],
    [database, /belongs to the service .{1,3}campus.*set .{1,3}service: campus/],
  ];
  for (const [address, sentence] of cases)
    await assert.rejects(
      startGateway({ settings: { ...nameless, database: address } }),
      ({ message, cause }) => {
        const told = `${String(cause)}\n${message}`;
        assert.match(told, /ended with 1/);
        assert.match(told, sentence);
        assert.doesNotMatch(told, /a-secret-of-the-test/);
        return true;
      },
    );
});

test('a database that is lost during the start, in the migrations or the first reading, is waited for', async () => {
  const server = await startPostgres();
  try {
    const address = await server.createDatabase();
    const settings = { ...service.settings, database: address, log: { level: 'info', format: 'json' } };
    // Somebody else holds what the start needs, so that it stands in the middle of it when the server dies.
    for (const holding of ['SELECT pg_advisory_lock(65)', 'BEGIN; LOCK TABLE api_keys']) {
      const holder = new Client({ connectionString: address });
      holder.on('error', () => {});
      await holder.connect();
      await holder.query(holding);
      const starting = startGateway({ settings });
      await waitUntil('it waits in the middle of its start', async () => {
        const [row] = await query<{ waiting: number }>(
          'SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted',
          address,
        );
        return (row?.waiting ?? 0) > 0;
      });
      await server.kill();
      await server.start();
      await using gateway = await starting;
      assert.match(gateway.logs(), /the database was lost during the start: waiting for it/);
      assert.equal((await send(`${gateway.url}/readyz`)).status, 200);
    }
  } finally {
    await server.stop();
  }
});

test('a database that is slow, and then too slow, holds up no answer, and nothing is lost or doubled', async () => {
  const [visitor] = await signedIn;
  const books = await keepAsking('slow');
  await books.ask();
  relay.delayMs = 700;
  for (let round = 0; round < 3; round += 1) await books.ask();
  const { status } = await visitor.call('GET /console/keys');
  assert.ok(status === 200 || status === 503, `slow, but ${status}`);
  relay.delayMs = 120_000;
  const refused = await visitor.call('POST /console/keys', { body: { name: 'never' } });
  assert.equal(refused.status, 503, refused.text);
  assert.match(refused.text, /does not answer in time.*database_unavailable/);
  await books.ask();
  assert.equal((await send(`${here.url}/readyz`)).status, 200);
  relay.delayMs = 0;
  await books.settled();
  await waitUntil(
    'changes are taken again',
    async () => (await visitor.call('POST /console/keys', { body: { name: 'again' } })).status === 200,
    60_000,
  );
});

test('a database without room on its disk: answers go on, changes say why not, and usage waits in the journal', async () => {
  const [visitor] = await signedIn;
  const books = await keepAsking('full');
  await query(`
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER full_usage BEFORE INSERT ON usage_records EXECUTE FUNCTION no_room();
    CREATE TRIGGER full_keys BEFORE INSERT ON api_keys EXECUTE FUNCTION no_room();`);
  for (let round = 0; round < 3; round += 1) await books.ask();
  const refused = await visitor.call('POST /console/keys', { body: { name: 'never' } });
  assert.equal(refused.status, 503, refused.text);
  assert.match(refused.text, /has no room on its disk at the moment.*database_unavailable/);
  await waitUntil('the metrics say that usage waits', async () =>
    /^gatehouse_journal_unapplied_bytes [1-9]/m.test((await send(here.metricsUrl)).text),
  );
  await query('DROP FUNCTION no_room() CASCADE');
  await books.settled();
  await visitor.ok('POST /console/keys', { body: { name: 'room again' } });
});

test('what two gateways use of one engine is what it counted, also when one of them was away for a while', async () => {
  const visitors = await signedIn;
  const { secret } = await ahead.createKey({ name: 'counted' });
  await waitUntil('both know the key', () => isKnown(here, secret));
  const compared = async () => {
    const reports = visitors.map((visitor) => visitor.ok('GET /console/administration/usage/drift'));
    return (await Promise.all(reports)).map(({ engines }) => {
      const output = engines.find(({ name }) => name === 'engine-a')!.day.output;
      return { theirs: output.theirs, missing: output.theirs - output.ours };
    });
  };
  await waitUntil('both have read the counters', async () =>
    (await Promise.all(visitors.map((visitor) => visitor.ok('GET /console/administration/usage/drift'))))
      .flatMap(({ engines }) => engines)
      .every(({ name, counters }) => name !== 'engine-a' || counters === 'read'),
  );
  // What is not yet told now may be missing for a moment: it can only become less.
  const before = await compared();
  const words = 20;
  const askAt = (gateway: Gateway) =>
    send(`${gateway.url}/api/chat/completions`, {
      headers: { authorization: `bearer ${secret}` },
      body: { model: 'beta-4-scout', messages: ask(`${mark()} sim:frames=${words}`) },
    });
  const agree = (answers: number) =>
    waitUntil('at both gateways nothing more is missing than before', async () =>
      (await compared()).every(
        ({ theirs, missing }, index) =>
          theirs >= before[index]!.theirs + answers * words && missing <= before[index]!.missing,
      ),
    );
  for (const gateway of [here, ahead]) assert.equal((await askAt(gateway)).status, 200);
  await agree(2);
  relay.delayMs = 120_000;
  const isAway = async () => /^gatehouse_database_reachable 0$/m.test((await send(here.metricsUrl)).text);
  await waitUntil('one is away', isAway);
  for (const gateway of [here, here, ahead]) assert.equal((await askAt(gateway)).status, 200);
  relay.delayMs = 0;
  await waitUntil('it is back', async () => !(await isAway()));
  await agree(5);
});

test('a gateway that starts listens to one whose news are late, and is heard by it, though that one reads no news', async () => {
  const { secret } = await ahead.createKey({ name: 'late' });
  await waitUntil('the gateway knows the key', () => isKnown(here, secret));
  relay.delayMs = 120_000;
  const known = new AbortController();
  const keepingLate = (async () => {
    while (!known.signal.aborted) {
      await query(`UPDATE gateway_news SET seen_at = extract(epoch FROM clock_timestamp()) * 1000 - 5000
        WHERE address = '${here.url}'`);
      await sleep(100);
    }
  })();
  await using young = await startGateway({ settings: { ...service.settings, database } });
  const streams = await Promise.all(
    [here, young].map(({ url }) =>
      openStream(`${url}/api/chat/completions`, {
        headers: { authorization: `bearer ${secret}`, 'gatehouse-resume': '2' },
        body: {
          model: 'beta-4-scout',
          stream: true,
          messages: ask(`${mark()} sim:frames=100000 sim:every=50`),
        },
      }),
    ),
  );
  for (const { metricsUrl } of [here, young])
    await waitUntil('it knows what the other one writes', async () =>
      /^gatehouse_streams_(?:witnessed|spared) 1$/m.test((await send(metricsUrl)).text),
    );
  known.abort();
  await keepingLate;
  for (const stream of streams) stream.leave();
  relay.delayMs = 0;
});

test('a clock that is a minute ahead: sessions, limits and running answers are the same at both gateways', async () => {
  const [atHome, abroad] = await signedIn;
  const { chat, generation } = await abroad.ok('POST /console/generations', {
    body: {
      chatId: null,
      parentId: null,
      newMessages: [{ role: 'user', content: `${mark()} sim:frames=100000 sim:every=20` }],
      model: 'beta-4-scout',
      requestKey: mark(),
    },
  });
  const [begun] = await query<{ now: string }>('SELECT clock_timestamp() AS now');

  const { secret } = await here.createKey({ name: 'paced', email: 'paced@example.org', project: 'paced' });
  await waitUntil('both know the key', async () => (await isKnown(here, secret)) && isKnown(ahead, secret));
  const startedMs = performance.now();
  const statuses: number[] = [];
  const askBoth = async () => {
    const asked = [here, ahead].flatMap((gateway) =>
      Array.from({ length: perMinute }, () => complete(gateway, secret)),
    );
    statuses.push(...(await Promise.all(asked)).map(({ status }) => status));
  };
  const answered = () => statuses.filter((status) => status === 200).length;
  await waitUntil('the limit is used up', async () => {
    await askBoth();
    return answered() >= perMinute && statuses.includes(429);
  });
  const grown = ((performance.now() - startedMs) / 60_000) * perMinute;
  assert.ok(answered() <= perMinute + grown + 1, `${answered()} of ${perMinute} + ${grown}`);

  await waitUntil('what was asked there is written down with the wrong time', async () => {
    const [row] = await query<{ wrong: boolean }>(
      'SELECT max(started_at) > extract(epoch FROM clock_timestamp()) * 1000 + 30000 AS wrong FROM usage_records',
    );
    return row?.wrong === true;
  });

  // Longer than it takes to be taken for dead, by the clock that counts.
  await waitUntil(
    'some beats have passed',
    async () => {
      const [row] = await query<{ passed: boolean }>(
        `SELECT clock_timestamp() > '${new Date(begun!.now).toISOString()}'::timestamptz + interval '12 seconds' AS passed`,
      );
      return row?.passed === true;
    },
    60_000,
  );
  const answer = async () =>
    (await atHome.ok('GET /console/chats/:chatId', { chatId: chat.id })).messages.at(-1);
  assert.equal((await answer())?.state, 'running');
  await atHome.ok('POST /console/generations/:generationId/stop', { generationId: generation.id });
  await waitUntil('it is stopped from the other side', async () => (await answer())?.state === 'stopped');
});
