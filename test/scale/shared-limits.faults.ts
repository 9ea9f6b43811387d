import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { type Gateway, startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import { type PostgresServer, startPostgres } from '#harness/postgres';
import { ask, mark, type Service, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';

/** Three real gateways on one real PostgreSQL, in front of one engine with four places. */
const postgres: PostgresServer = await startPostgres();
const database = await postgres.createDatabase();
const perMinute = 24;
const atOnce = 5;
const service: Service = await startService({
  engine: { maxConcurrent: 4 },
  settings: {
    database,
    service: 'campus',
    projects: [
      { id: 'paced', memberLimits: { requestsPerMinute: perMinute } },
      { id: 'narrow', memberLimits: { requestsAtOnce: atOnce } },
    ],
  },
});
const others = await Promise.all([1, 2].map(() => startGateway({ settings: service.settings })));
const gateways: Gateway[] = [service.gateway, ...others];
after(async () => {
  await Promise.all(others.map((gateway) => gateway.stop()));
  await service[Symbol.asyncDispose]();
  await postgres.stop();
});
const { engineA: engine } = service;

async function newCaller(name: string, project?: string): Promise<string> {
  const { secret } = await service.gateway.createKey({ name, email: `${name}@example.org`, project });
  for (const { url } of gateways)
    await waitUntil('every gateway knows the key', async () => {
      const answer = await send(`${url}/api/models`, { headers: { authorization: `bearer ${secret}` } });
      return answer.status === 200 && !/is not a member/.test(answer.text);
    });
  return secret;
}

const sentBy = (secret: string, words: string, extra: object = {}) => ({
  method: 'POST',
  headers: { authorization: `bearer ${secret}` },
  body: { model: 'beta-4-scout', messages: ask(words), max_tokens: 50, ...extra },
});
const complete = ({ url }: Gateway, secret: string) =>
  send(`${url}/api/chat/completions`, sentBy(secret, mark()));
const stream = ({ url }: Gateway, secret: string, words: string) =>
  openStream(`${url}/api/chat/completions`, sentBy(secret, words, { stream: true, max_tokens: undefined }));

/** What the living gateways tell of their places at the engine. */
async function toldSeats(): Promise<readonly Seats[]> {
  const client = new Client({ connectionString: database });
  await client.connect();
  try {
    const { rows } = await client.query<{ topics: string }>(
      'SELECT topics FROM gateway_news WHERE seen_at > extract(epoch FROM clock_timestamp()) * 1000 - 3000',
    );
    const told = rows.map(({ topics }) => JSON.parse(topics) as Record<string, Record<string, Seats>>);
    return told.flatMap(({ 'seats/1': seats = {} }) =>
      Object.entries(seats).flatMap(([name, each]) => (name.endsWith(engine.url) ? [each] : [])),
    );
  } finally {
    await client.end();
  }
}

interface Seats {
  readonly held: number;
  readonly used: number;
}

/** Ends the generations of a mark and waits until the engine is done with them. */
async function finish(words: string): Promise<void> {
  for (const generation of engine.marked(words)) generation.isToldToFinish = true;
  await waitUntil('they have ended', () => engine.marked(words).every(({ state }) => state !== 'active'));
}

test('a limit per minute holds for all gateways together, whoever is asked, but for one request of each', async (context) => {
  const secret = await newCaller('paced', 'paced');
  const startedMs = performance.now();
  let answered = 0;
  let refused = 0;
  const askAround = async () => {
    const asked = gateways.flatMap((gateway) =>
      Array.from({ length: perMinute }, () => complete(gateway, secret)),
    );
    for (const { status, text } of await Promise.all(asked)) {
      assert.ok(status === 200 || status === 429, text);
      if (status === 200) answered++;
      else refused++;
    }
  };
  await askAround();
  await waitUntil('all of it is used', async () => {
    if (answered < perMinute) await askAround();
    return answered >= perMinute;
  });
  const grown = ((performance.now() - startedMs) / 60_000) * perMinute;
  context.diagnostic(`${answered} answered, ${refused} refused, ${grown.toFixed(1)} grown back`);
  assert.ok(answered <= perMinute + grown + gateways.length - 1, `${answered} of ${perMinute} + ${grown}`);
});

test('an engine has no more in hand than it has places; what a killed gateway held comes back', async (context) => {
  const secret = await newCaller('narrow', 'narrow');
  const secrets = await Promise.all(['one', 'two', 'three'].map((name) => newCaller(name)));
  const words = mark();
  let most = 0;
  const look = setInterval(() => void (most = Math.max(most, engine.activeGenerations)), 5);
  const doomed = await startGateway({ settings: service.settings });
  try {
    await waitUntil('the newcomer knows the keys', async () => {
      const answer = await send(`${doomed.url}/api/models`, {
        headers: { authorization: `bearer ${secret}` },
      });
      return answer.status === 200;
    });
    // The one that will be killed takes every place, and all that its caller may have at once.
    const held = Promise.allSettled(
      Array.from({ length: atOnce }, () => stream(doomed, secret, `${words} sim:frames=100000 sim:every=50`)),
    );
    await waitUntil('they are being written', () => engine.activeGenerations === 4);
    const asked = Promise.all(
      gateways.map((gateway, index) => stream(gateway, secrets[index]!, `${words} later`)),
    );
    // What a gateway lets through before it has heard waits for a place until the other one is dead.
    const more: Promise<unknown>[] = [];
    for (const gateway of gateways) {
      let isRefused = false;
      await waitUntil('one more at once is refused', async () => {
        more.push(complete(gateway, secret).then(({ status }) => (isRefused ||= status === 429)));
        await delay(200);
        return isRefused;
      });
    }
    const killedMs = performance.now();
    await doomed.kill();
    await Promise.all([held, ...more]);
    const streams = await asked;
    context.diagnostic(`places came back after ${Math.round(performance.now() - killedMs)} ms`);
    for (const each of streams) assert.equal(await each.ended, 'complete');
    assert.ok(most <= 4, `the engine had ${most} in hand`);
    await waitUntil('its caller may have as many at once as before', async () => {
      const asks = Array.from({ length: atOnce }, (_, index) =>
        complete(gateways[index % gateways.length]!, secret),
      );
      return (await Promise.all(asks)).every(({ status }) => status === 200);
    });
  } finally {
    clearInterval(look);
    await finish(words);
    await doomed.kill();
  }
});

test('without the database limits and places go on with what was known, and are shared again afterwards', async () => {
  const secret = await newCaller('unbroken', 'narrow');
  await postgres.kill();
  for (const gateway of gateways)
    await waitUntil('it answers', async () => (await complete(gateway, secret)).status === 200);
  await postgres.start();
  const words = mark();
  await waitUntil('one gateway alone gets every place again', async () => {
    await finish(words);
    const streams = Array.from({ length: 4 }, () =>
      stream(service.gateway, secret, `${words} sim:frames=100000 sim:every=50`),
    );
    const isFull = await waitUntil('four are written', () => engine.activeGenerations === 4, 5_000).then(
      () => true,
      () => false,
    );
    await finish(words);
    await Promise.all(streams);
    return isFull;
  });
});

test('a gateway that finishes its last answers gives its other places back at once', async () => {
  const secret = await newCaller('last');
  const words = mark();
  const leaver = await startGateway({ settings: service.settings });
  try {
    await waitUntil('it knows the key', async () => {
      const headers = { authorization: `bearer ${secret}` };
      return (await send(`${leaver.url}/api/models`, { headers })).status === 200;
    });
    const last = await stream(leaver, secret, `${words} sim:frames=100000 sim:every=50`);
    for (const other of others) other.signal('SIGTERM');
    await Promise.all(others.map(({ exited }) => exited));
    await waitUntil('only two are left, and the one that writes has a place to spare', async () => {
      const seats = await toldSeats();
      return seats.length === 2 && seats.some(({ held, used }) => used === 1 && held > 1);
    });
    leaver.signal('SIGTERM');
    await waitUntil('the one that stays has all but that of the last answer', async () => {
      const seats = await toldSeats();
      const [most, least] = seats.map(({ held }) => held).toSorted((one, other) => other - one);
      return seats.length === 2 && most === 3 && least === 1;
    });
    assert.equal(last.frames().at(-1) === '[DONE]', false, 'which is still being written');
    await finish(words);
    assert.equal(await last.ended, 'complete');
    await leaver.exited;
  } finally {
    await finish(words);
    await leaver.kill();
  }
});
