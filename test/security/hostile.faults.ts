import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { send } from '#harness/http-client';
import { connectRaw, rawRequest } from '#harness/raw-http';
import { ask, mark, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import { mintSecret } from '../../src/accounts/key-format.ts';
import { Visitor } from '../console/visitor.ts';
import { documentedRoutes, hostileRequest } from './hostile-requests.ts';
import type { HostileRequest } from './hostile-requests.ts';

const maxConnections = 400;

/** Callers in great numbers and of ill will. The heap is kept small: whatever is hoarded ends the process. */
const service = await startService({
  env: { NODE_OPTIONS: '--max-old-space-size=112' },
  settings: {
    limits: { maxConnections, headerTimeout: '3s', bodyTimeout: '3s', slowReader: '2s' },
    directNetworks: ['127.0.0.1/32'],
  },
});
after(() => service[Symbol.asyncDispose]());
const { gateway, engineA, engineB, key } = service;
const url = `${service.direct('beta-4-scout')}/chat/completions`;
const chat = (words: string, more: object = {}) => ({ model: 'beta-4-scout', messages: ask(words), ...more });

async function assertWell(): Promise<void> {
  await waitUntil('the service answers and is idle', async () => {
    const answer = await send(url, { body: chat('are you well') }).catch(() => undefined);
    return answer?.status === 200 && engineA.activeGenerations + engineB.activeGenerations === 0;
  });
  assert.doesNotMatch(gateway.logs(), /ended in a bug|uncaught|unhandled/i);
}

test(
  'no hostile request to any documented route breaks, leaks or strays',
  { timeout: 120_000 },
  async (context) => {
    const seed = Number(process.env['GATEHOUSE_FUZZ_SEED'] ?? randomInt(2 ** 31));
    context.diagnostic(`GATEHOUSE_FUZZ_SEED=${seed} repeats this run`);
    const operator = await signIn();
    // The one route that would make all later requests those of a stranger.
    const routes = documentedRoutes().filter(({ pattern }) => pattern !== '/console/sign-out');
    assert.ok(routes.length > 80);
    const successes = new Set<string>();
    const attempts = routes.flatMap((route) =>
      fc.sample(hostileRequest(route), { seed, numRuns: 10 }).map((hostile) => ({ route, hostile })),
    );
    await inParallel(12, attempts, async ({ route, hostile }) => {
      const answer = await attack(hostile, operator);
      const what = `seed ${seed}: ${route.name} ${JSON.stringify(hostile).slice(0, 2000)} → ${answer.status} ${answer.body.slice(0, 500)}`;
      assert.ok(answer.status < 500 || answer.status === 501, what);
      assert.match(answer.head, /^x-request-id: \S+/im, what);
      if (answer.status < 400) successes.add(route.name);
      else {
        // Messages has an error of its own.
        assert.match(answer.body, /"error":\{"message":"|^\{"type":"error","error":\{"type":"/, what);
        assert.doesNotMatch(
          answer.body,
          /node:internal|SQLITE|\bat \S+ \(|\.ts:\d|org\/(alpha|beta|gamma)/,
          what,
        );
      }
    });
    assert.ok(
      successes.size > 30,
      `only these were reached with what they accept: ${[...successes].join(', ')}`,
    );
    assert.equal((await operator.ok('GET /console/session')).person?.role, 'administrator');
    await assertWell();
    for (const received of [...engineA.requests, ...engineB.requests]) {
      assert.match(`${received.method} ${received.url}`, harmless);
      assert.equal(received.headers.cookie, undefined);
      assert.ok(!received.rawHeaders.some((value) => value.includes(key)), 'a key reached an engine');
    }
  },
);

const harmless =
  /^(GET \/(health|metrics|get_load|load|version|(get_)?server_info|props|v1\/(models|loads))\S*|POST \/(v1\/)?(chat\/completions|completions|embeddings|responses|messages|messages\/count_tokens|tokenize|detokenize|score|rerank|abort_request))$/;

test('the admin names of engines lead nowhere at any door', async () => {
  const names = [
    'pause',
    'sleep',
    'collective_rpc',
    'update_weights_from_disk',
    'load_lora_adapter',
    'flush_cache',
  ];
  names.push('abort_request', 'start_profile', 'server_info', 'get_server_info', 'generate', 'invocations');
  const headers = { authorization: `bearer ${key}` };
  const heard = () => [...engineA.requests, ...engineB.requests];
  const before = new Set(heard());
  const targets = names.flatMap((name) =>
    [
      '',
      '/console',
      '/engine-b/v1',
      '/engine-b',
      '/gamma-oss-120b/v1',
      '/api/v1',
      '/v1',
      '/engine-a',
    ].flatMap((base) => [
      `${base}/${name}`,
      `${base}/${name.toUpperCase()}`,
      `${base}//%${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
    ]),
  );
  await inParallel(12, targets, async (target) => {
    const answer = await send(gateway.url + target, { headers, body: {} });
    assert.ok([404, 405].includes(answer.status), `${target} became ${answer.status}`);
  });
  // The service itself looks after its engines when it likes, with GET and a completion of one word.
  const strays = heard().filter(
    (request) => !before.has(request) && request.method !== 'GET' && request.url !== '/v1/completions',
  );
  assert.deepEqual(
    strays.map(({ url }) => url),
    [],
  );
});

test('ten thousand bad keys leave nothing behind', { timeout: 120_000 }, async () => {
  const before = countRows();
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const filler = 'x'.repeat(15_500);
  // Some are formed as ours are; the others are so large that together they are more than the heap may hold.
  const keys = Array.from({ length: 10_000 }, (_, index) => index);
  await inParallel(8, keys, async (index) => {
    const secret = index % 4 === 0 ? mintSecret().secret : `${filler}${index}`;
    const outgoing = request(`${gateway.url}/api/models`, {
      agent,
      headers: { authorization: `bearer ${secret}` },
    });
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    assert.equal(response.statusCode, 401);
  });
  agent.destroy();
  // What the requests before have left to be written down may still arrive.
  assert.ok(countRows() - before < 1000, 'no table grows with the callers');
  const metrics = (await send(gateway.metricsUrl)).text;
  assert.ok(metrics.length < 200_000, 'metrics did not grow with the callers');
  await assertWell();
});

test('idle connections are bounded in number and in time', async () => {
  const { hostname, port } = new URL(gateway.url);
  const sockets = Array.from({ length: 2000 }, () => connect({ host: hostname, port: Number(port) }));
  let open = sockets.length;
  for (const socket of sockets) {
    socket.on('error', () => {});
    socket.on('close', () => (open -= 1));
    socket.resume();
  }
  await waitUntil('the crowd is turned away', () => open <= maxConnections);
  await waitUntil('the silent ones are hung up on', () => open === 0);
  await assertWell();
});

test('those who begin and do not go on are let go, and no engine hears of them', async () => {
  const generations = engineA.generations.length;
  const body = JSON.stringify(chat('never finished'));
  const head = rawRequest('POST', '/beta-4-scout/v1/chat/completions', [
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]);
  const half = `${head}${body.slice(0, 20)}`;
  const beginnings: ((socket: Socket) => void)[] = [
    (socket) => socket.write('POST /api/chat/completions HTTP/1.1\r\nHost: x\r\nX-Slow: '),
    (socket) => socket.write(half),
    (socket) => socket.end(half),
    (socket) => socket.end(head.slice(0, 30)),
    (socket) => socket.write(half, () => socket.resetAndDestroy()),
  ];
  const connections = await Promise.all(Array.from({ length: 50 }, () => connectRaw(gateway.url)));
  for (const [index, { socket }] of connections.entries()) beginnings[index % beginnings.length]?.(socket);
  await Promise.all(connections.map((connection) => connection.untilClosed()));
  assert.equal(engineA.generations.length, generations);
  await assertWell();
});

test('whoever sends more ahead than anybody keeps is still seen to leave', async () => {
  const mine = mark();
  const asked = JSON.stringify(chat(`${mine} sim:frames=100000 sim:every=50`));
  const headers = ['Content-Type: application/json'];
  const path = '/beta-4-scout/v1/chat/completions';
  using raw = await connectRaw(gateway.url);
  raw.send(rawRequest('POST', path, headers, asked));
  raw.send(rawRequest('POST', path, headers, 'x'.repeat(200_000)));
  await waitUntil('the engine has it', () => engineA.marked(mine).length === 1);
  raw.socket.destroy();
  await waitUntil('the engine is free of it', () => engineA.activeGenerations === 0);
  await assertWell();
});

test('a crowd that asks for endless answers and reads nothing is cut off', async () => {
  const mine = mark();
  const endless = JSON.stringify(chat(`${mine} sim:frames=100000 sim:every=0`, { stream: true }));
  const headers = ['Content-Type: application/json'];
  const asked = rawRequest('POST', '/beta-4-scout/v1/chat/completions', headers, endless);
  const readers = await Promise.all(Array.from({ length: 8 }, () => connectRaw(gateway.url)));
  try {
    for (const { socket } of readers) {
      socket.pause();
      socket.write(asked);
    }
    await waitUntil(
      'all have been given to the engine',
      () => engineA.marked(mine).length === readers.length,
    );
    await waitUntil('the engine is free of them', () => engineA.activeGenerations === 0);
  } finally {
    for (const { socket } of readers) socket.destroy();
  }
  await assertWell();
});

async function signIn(): Promise<Visitor> {
  const link = await waitUntil('the start prints a link', () => /#link=(\S+)/.exec(gateway.logs())?.[1]);
  const operator = new Visitor(gateway.url);
  await operator.ok('POST /console/sign-in/link', { body: { token: link } });
  return operator;
}

/** Sends the bytes as they are, with every credential there is; of an event stream only the head is awaited. */
async function attack(hostile: HostileRequest, operator: Visitor) {
  using connection = await connectRaw(gateway.url);
  const cookies = [...operator.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = [
    'Connection: close',
    `Authorization: bearer ${key}`,
    ...(hostile.target.startsWith('/console')
      ? [`Cookie: ${cookies}`, `X-CSRF-Token: ${operator.csrfToken}`]
      : []),
    ...(hostile.body === undefined ? [] : [`Content-Type: ${hostile.contentType}`]),
  ];
  connection.send(rawRequest(hostile.method, hostile.target, headers, hostile.body));
  return await waitUntil('an answer, or the beginning of an event stream', () => {
    const [head = ''] = connection.received().split('\r\n\r\n', 1);
    const isStream = /^content-type: text\/event-stream/im.test(head);
    return isStream ? { status: 200, head, body: '' } : connection.whole();
  });
}

async function inParallel<Item>(
  width: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

/** The rows of all tables together, as the file itself tells. */
function countRows(): number {
  const database = new DatabaseSync(join(gateway.dataDir, 'gatehouse.db'), { readOnly: true, timeout: 5000 });
  const countIn = (table: unknown) =>
    Number(database.prepare(`SELECT count(*) AS rows FROM "${String(table)}"`).get()?.['rows']);
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return tables.reduce((sum, { name }) => sum + countIn(name), 0);
  } finally {
    database.close();
  }
}
