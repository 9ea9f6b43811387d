import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { send } from '#harness/http-client';
import { connectRaw, exchangeRaw, rawRequest } from '#harness/raw-http';
import type { RawConnection } from '#harness/raw-http';
import { ask, mark, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import { Visitor } from '../console/visitor.ts';

const mebibyte = 1024 ** 2;

/** What one caller, and all together, may keep of the service: bytes, connections, time to read. */
const service = await startService({
  engine: { maxConcurrent: 4 },
  settings: {
    limits: {
      maxBody: '16MiB',
      totalBuffered: '64MiB',
      maxConnectionsPerAddress: 40,
      slowReader: '1s',
      bodyTimeout: '1m',
    },
    trustedProxies: ['127.0.0.5/32'],
    directNetworks: ['127.0.0.0/8', '10.0.0.0/8'],
  },
});
after(() => service[Symbol.asyncDispose]());
const { gateway, engineA } = service;
const operator = await signIn();
const url = `${service.direct('beta-4-scout')}/chat/completions`;
const json = 'Content-Type: application/json';

async function bufferedBytes(): Promise<number> {
  const { text } = await send(gateway.metricsUrl);
  return Number(/^gatehouse_buffered_bytes (\d+)/m.exec(text)?.[1]);
}

async function openConnections(): Promise<number> {
  return Number(/^gatehouse_connections_open (\d+)/m.exec((await send(gateway.metricsUrl)).text)?.[1]);
}

async function assertEmptied(): Promise<void> {
  await waitUntil('nothing is kept any more', async () => (await bufferedBytes()) === 0);
  const body = { model: 'beta-4-scout', messages: ask('are you well') };
  // So much work for its engine, which lives in this process, may have kept it from answering for a while.
  await waitUntil('it is well', async () => (await send(url, { body })).status === 200);
}

function residentBytes(): number {
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}

/** A large request that is sent but for its last byte, or as a whole. */
function largeRequest(path: string, bytes: number, words = 'hello'): string {
  const start = `{"model":"beta-4-scout","messages":[{"role":"user","content":"${words} `;
  const body = `${start}${'x'.repeat(bytes - start.length - 4)}"}]}`;
  return rawRequest('POST', path, [json, 'X-CSRF-Token: x'], body);
}

/** Let go at the end of the test, however it ends. */
async function crowdOf(from: readonly (string | undefined)[]): Promise<RawConnection[] & Disposable> {
  const connections = await Promise.all(from.map((address) => connectRaw(gateway.url, address)));
  return Object.assign(connections, {
    [Symbol.dispose]: () => {
      for (const { socket } of connections) socket.destroy();
    },
  });
}

const times = (count: number, from?: string) => Array.from({ length: count }, () => from);

const statusOf = (connection: RawConnection) => /^HTTP\/1\.1 (\d+)/.exec(connection.received())?.[1];

test('whoever nobody knows yet is read 16 KiB of, whatever they announce', async () => {
  for (const path of ['sign-in/password', 'sign-in/link', 'invitation/preview', 'invitation/accept']) {
    const announced = await exchangeRaw(
      gateway.url,
      rawRequest('POST', `/console/${path}`, [json, 'X-CSRF-Token: x', 'Content-Length: 16385']),
    );
    assert.equal(announced.status, 413, path);
    using chunked = await connectRaw(gateway.url);
    const framing = [json, 'X-CSRF-Token: x', 'Transfer-Encoding: chunked', 'Connection: close'];
    chunked.send(`${rawRequest('POST', `/console/${path}`, framing)}4001\r\n${' '.repeat(0x4001)}\r\n`);
    assert.equal((await chunked.response()).status, 413, path);
  }
  await assertEmptied();
});

test('JSON is counted before it is built', async () => {
  const crowd = `{"model":"beta-4-scout","messages":[${'[],'.repeat(600_000)}[]]}`;
  const answer = await send(url, { body: crowd });
  assert.deepEqual([answer.status, answer.error.code], [400, 'invalid_json']);
  const many = { model: 'beta-4-scout', parameters: { stop: Array.from({ length: 30_000 }, () => 1) } };
  const refused = await operator.call('POST /console/chats', { body: many });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /more values/);
});

test('unfinished requests of one caller fill a share, those of all a total, and no more', async () => {
  const unfinished = largeRequest('/beta-4-scout/v1/chat/completions', 7 * mebibyte).slice(0, -1);
  {
    using ofOne = await crowdOf(times(5, '127.0.0.2'));
    for (const one of ofOne) one.send(unfinished);
    const refused = await waitUntil('one is refused', () => ofOne.find((one) => statusOf(one) === '429'));
    assert.match(refused.received(), /^retry-after: \d/im);
    assert.match(refused.received(), /rate_limit_exceeded/);
    using ofMany = await crowdOf(Array.from({ length: 10 }, (_, index) => `127.0.0.${10 + index}`));
    for (const one of ofMany) one.send(unfinished);
    const full = await waitUntil('the service is full', () => ofMany.find((one) => statusOf(one) === '503'));
    assert.match(full.received(), /service_overloaded/);
    assert.ok((await bufferedBytes()) <= 48 * mebibyte, 'a quarter is kept for answers');
    const wanted = { model: 'beta-4-scout', messages: ask('sim:huge=30000000') };
    const tooMuch = await send(url, { body: wanted, from: '127.0.0.99' });
    assert.deepEqual([tooMuch.status, tooMuch.error.code], [503, 'service_overloaded']);
  }
  await assertEmptied();
});

test('requests that wait in the line are counted, too', async () => {
  const mine = mark();
  const endless = {
    model: 'beta-4-scout',
    messages: ask(`${mine} sim:frames=100000 sim:every=20`),
    stream: true,
  };
  const body = JSON.stringify(endless);
  {
    using seats = await crowdOf(times(4));
    for (const seat of seats)
      seat.send(rawRequest('POST', '/beta-4-scout/v1/chat/completions', [json], body));
    await waitUntil('the engine is full', () => engineA.marked(mine).length === 4);
    using waiting = await crowdOf(Array.from({ length: 20 }, (_, index) => `127.0.0.${20 + index}`));
    for (const one of waiting) one.send(largeRequest('/beta-4-scout/v1/chat/completions', 7 * mebibyte));
    await waitUntil(
      'the rest is refused',
      () => waiting.filter((one) => statusOf(one) === '503').length === waiting.length - 6,
    );
    assert.ok(residentBytes() < 700 * mebibyte, `it holds ${residentBytes() / mebibyte} MiB`);
  }
  await assertEmptied();
});

test('whoever reads nothing is cut off, whatever it is', async () => {
  const cookie = `Cookie: ${[...operator.cookies].map((pair) => pair.join('=')).join('; ')}`;
  await operator.ok('POST /console/chats/import', { body: longArchive() });
  const asked = [
    ['a page', rawRequest('GET', '/').repeat(4000), '127.0.0.61'],
    ['metrics', rawRequest('GET', '/metrics').repeat(1000), '127.0.0.62'],
    ['an export', rawRequest('GET', '/console/chats/export', [cookie]), '127.0.0.63'],
    [
      'a whole answer',
      rawRequest('POST', '/beta-4-scout/v1/chat/completions', [json], wanted('huge=12e6')),
      '127.0.0.65',
    ],
    [
      'a stream',
      rawRequest('POST', '/beta-4-scout/v1/chat/completions', [json], wanted('frames=1e6', true)),
      '127.0.0.66',
    ],
  ] as const;
  const before = await openConnections();
  using readers = await crowdOf(asked.map(([, , from]) => from));
  for (const [index, { socket }] of readers.entries()) {
    socket.pause();
    socket.write(asked[index]![1]);
  }
  await waitUntil('the answers wait to be read', async () => (await bufferedBytes()) > 1e6);
  await waitUntil('all have been cut off', async () => (await openConnections()) <= before);
  await assertEmptied();

  function wanted(words: string, stream = false): string {
    return JSON.stringify({ model: 'beta-4-scout', messages: ask(`sim:${words} sim:every=0`), stream });
  }
});

/** Longer than any buffer between us and a reader. */
function longArchive() {
  const at = Date.now();
  const messages = Array.from({ length: 7 }, (_, index) => ({
    id: String(index),
    parentId: index === 0 ? null : String(index - 1),
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: 'x'.repeat(1_900_000),
    createdAt: at,
  }));
  const chat = { title: 'long', model: 'beta-4-scout', createdAt: at, updatedAt: at, messages };
  return { format: 'gatehouse-chats' as const, version: 1 as const, exportedAt: at, chats: [chat] };
}

test('one address has so many connections, and behind a trusted proxy so many requests', async () => {
  using crowd = await crowdOf(times(60, '127.0.0.3'));
  await waitUntil('the crowd is thinned', () => crowd.filter((one) => one.isClosed).length === 20);
  await assertEmptied();
  assert.match((await send(gateway.metricsUrl)).text, /^gatehouse_connections_refused_total 20$/m);

  const ofOne = ['X-Forwarded-For: 10.1.1.1', json];
  const mine = mark();
  const endless = {
    model: 'beta-4-scout',
    messages: ask(`${mine} sim:frames=100000 sim:every=50`),
    stream: true,
  };
  const request = rawRequest('POST', '/beta-4-scout/v1/chat/completions', ofOne, JSON.stringify(endless));
  using fronted = await crowdOf(times(50, '127.0.0.5'));
  for (const one of fronted) one.send(request);
  await waitUntil('ten are refused', () => fronted.filter((one) => statusOf(one) === '429').length === 10);
  const other = { 'x-forwarded-for': '10.1.1.2' };
  assert.equal(
    (await send(`${service.direct('engine-b')}/models`, { from: '127.0.0.5', headers: other })).status,
    200,
  );
});

/** The link of the first start works once. */
async function signIn(): Promise<Visitor> {
  const token = await waitUntil('the start prints a link', () => /#link=(\S+)/.exec(gateway.logs())?.[1]);
  const visitor = new Visitor(gateway.url);
  await visitor.ok('POST /console/sign-in/link', { body: { token } });
  return visitor;
}
