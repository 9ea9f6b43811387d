import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { type Gateway, startGateway } from '#harness/gateway';
import { openStream, type ReceivedStream, send } from '#harness/http-client';
import { type PostgresServer, startPostgres } from '#harness/postgres';
import { ask, mark, type Service, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';

/** Two real gateways on one real PostgreSQL: what one member may have running and waiting is meant for both together. */
const postgres: PostgresServer = await startPostgres();
const database = await postgres.createDatabase();
const waitingLine = { maxRunningPerMember: 4, maxWaitingPerMember: 6 };
const service: Service = await startService({
  // Whoever waits hears of it at once: one that a gateway takes before it has heard of the others is soon known.
  settings: { database, service: 'campus', limits: { waitingLine }, heartbeat: '1s' },
});
const here: Gateway = service.gateway;
const there: Gateway = await startGateway({ settings: service.settings });
after(async () => {
  await there.stop();
  await service[Symbol.asyncDispose]();
  await postgres.stop();
});
const { engineA: engine } = service;
const words = mark();

function begin({ url }: Gateway, count: number): Promise<ReceivedStream>[] {
  return Array.from({ length: count }, () =>
    openStream(`${url}/api/chat/completions`, {
      headers: { authorization: `bearer ${service.key}` },
      body: {
        model: 'beta-4-scout',
        stream: true,
        messages: ask(`${words} sim:frames=100000 sim:every=20`),
      },
    }),
  );
}

/** Everything that gateways have told of what the member has there. */
async function told(): Promise<{ waiting: number; running: number; parts: readonly number[] }> {
  const client = new Client({ connectionString: database });
  await client.connect();
  try {
    const { rows } = await client.query<{ topics: string }>('SELECT topics FROM gateway_news');
    const crowds = rows.flatMap(
      ({ topics }) => (JSON.parse(topics) as Record<string, [string, number, number][]>)['crowds/1'] ?? [],
    );
    const sum = (at: 1 | 2) => crowds.reduce((total, crowd) => total + crowd[at], 0);
    return { waiting: sum(1), running: sum(2), parts: crowds.map(([, , running]) => running) };
  } finally {
    await client.end();
  }
}

const active = () => engine.marked(words).filter(({ state }) => state === 'active');
const isTold = (waiting: number, running: number) =>
  waitUntil(`${waiting} waiting and ${running} running are told`, async () => {
    const sums = await told();
    return sums.waiting === waiting && sums.running === running;
  });

/** A gateway hears of the others a moment later: what it runs until then is taken back, and asked again. */
async function beginToWait(gateway: Gateway): Promise<{ readonly opening: Promise<ReceivedStream> }> {
  const before = (await told()).waiting;
  for (;;) {
    const [stream] = begin(gateway, 1);
    await waitUntil('it runs or waits', async () => active().length > 4 || (await told()).waiting > before);
    if (active().length === 4) return { opening: stream! };
    (await stream!).leave();
    await waitUntil('it has left', () => active().length === 4);
  }
}

test('what a member may have running and waiting holds for all gateways together, and each gets its part', async () => {
  await waitUntil('the other gateway knows the key', async () => {
    const headers = { authorization: `bearer ${service.key}` };
    return (await send(`${there.url}/api/models`, { headers })).status === 200;
  });
  const streams = begin(here, 4);
  await waitUntil('four are running', () => active().length === 4);
  await isTold(0, 4);

  // One after the other: also a gateway whose news are late for a while takes what is too much.
  for (let count = 0; count < 3; count += 1) streams.push((await beginToWait(there)).opening);
  await isTold(3, 4);
  for (let count = 0; count < 3; count += 1) streams.push((await beginToWait(here)).opening);
  await isTold(6, 4);
  assert.equal(active().length, 4);

  for (const gateway of [here, there])
    await waitUntil('one more is refused', async () => {
      const [more] = await Promise.all(begin(gateway, 1));
      if (more!.status === 429) return true;
      more!.leave();
      return undefined;
    });
  await isTold(6, 4);

  // What ends here is made good there, until both have their half.
  const [first, second] = active();
  first!.isToldToFinish = true;
  second!.isToldToFinish = true;
  await waitUntil('each has its half', async () => String((await told()).parts) === '2,2');
  await isTold(4, 4);
  assert.equal(active().length, 4);

  await waitUntil('all have been served', () => {
    for (const generation of active()) generation.isToldToFinish = true;
    return engine.marked(words).filter(({ state }) => state === 'completed').length === streams.length;
  });
  for (const stream of await Promise.all(streams)) assert.equal(await stream.ended, 'complete');
});
