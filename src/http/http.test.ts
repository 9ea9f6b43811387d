import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { certificate, writeCertificate } from '#harness/certificate';
import { connectRaw, rawRequest } from '#harness/raw-http';
import { waitUntil } from '#harness/wait-until';
import { systemClock } from '#vocabulary/clock';
import type { Exchange } from '#vocabulary/exchange';
import { Refusal } from '#vocabulary/refusal';
import { silentLogger } from '#vocabulary/logger';
import { createCallerBudgets, createHttp, type HttpOptions } from './http.ts';

/** A server whose only route does what the test says. */
let handle: (exchange: Exchange) => void | Promise<void> = () => {};
const limits = { totalBytes: 1e9, callerBytes: 1e9, maxRequestsPerAddress: 100, isTrustedProxy: () => false };
const logger = { ...silentLogger, error: (_fields: object, message: string) => assert.fail(message) };
const options: HttpOptions = {
  listen: { host: '127.0.0.1', port: 0 },
  tls: undefined,
  limits: {
    maxBodyBytes: 4e6,
    maxHeaderBytes: 16_384,
    maxConnections: 100,
    maxConnectionsPerAddress: 100,
    headerTimeoutMs: 60_000,
    bodyTimeoutMs: 60_000,
    slowReaderMs: 60_000,
  },
  budgets: createCallerBudgets(limits),
  addressOf: ({ peerAddress }) => peerAddress,
  isTrustedProxy: () => false,
  routeOf: () => ({ door: 'none', headers: ['x-a', 'b'], handle: (exchange) => handle(exchange) }),
  onRefusal() {},
  clock: systemClock,
  logger,
};
const http = createHttp(options);
const { url } = await http.listen();
after(() => http.close());

function answer({ reply, query }: Exchange): void {
  reply.begin(200, ['content-type', 'text/plain']);
  reply.end(`<${query}>`);
}

test('thousands of requests that are sent ahead are answered in their order, at once or later', async () => {
  const numbers = Array.from({ length: 3000 }, (_, index) => index);
  for (const waits of [false, true]) {
    handle = async (exchange) => {
      if (waits && Number(exchange.query) % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
      answer(exchange);
    };
    using raw = await connectRaw(url);
    raw.send(numbers.map((number) => rawRequest('GET', `/?${number}`)).join(''));
    await waitUntil('the last is answered', () => raw.received().includes('<2999>'));
    const answers = [...raw.received().matchAll(/<(\d+)>/g)].map(([, number]) => Number(number));
    assert.deepEqual(answers, numbers);
  }
});

test('a request waits for the answer before it, and nobody who has gone is waited for', async () => {
  const exchanges: Exchange[] = [];
  handle = (exchange) => void exchanges.push(exchange);
  using raw = await connectRaw(url);
  raw.send(rawRequest('GET', '/?1') + rawRequest('POST', '/?2', [], 'body') + rawRequest('GET', '/?3'));
  const first = await waitUntil('the first is there', () => exchanges[0]);
  first.reply.begin(200, ['content-type', 'text/event-stream']);
  first.reply.write('data: 1\n\n');
  await waitUntil('it is read', () => raw.received().includes('data: 1'));
  assert.equal(exchanges.length, 1);
  first.reply.end();
  const second = await waitUntil('the second is there', () => exchanges[1]);
  assert.equal((await second.readBody()).toString(), 'body');
  assert.equal(first.cancellation.isCancelled, false);
  raw.socket.destroy();
  await waitUntil('it is known', () => second.cancellation.reason === 'caller-left');
  assert.equal(exchanges.length, 2, 'the third has nobody to answer');
  second.reply.begin(200, []);
  second.reply.end('to nobody');
});

test('whoever only ends their side gets every answer; whoever has left is found out', async () => {
  const exchanges: Exchange[] = [];
  handle = (exchange) => void exchanges.push(exchange);
  using raw = await connectRaw(url);
  raw.send(rawRequest('GET', '/?1') + rawRequest('GET', '/?2') + rawRequest('GET', '/?3'));
  raw.halfClose();
  for (const index of [0, 1, 2]) {
    const exchange = await waitUntil('it is there', () => exchanges[index]);
    await waitUntil('the caller hears that it is worked on', () =>
      raw.received().includes('100 Continue', raw.received().lastIndexOf('<')),
    );
    answer(exchange);
  }
  await raw.untilClosed();
  assert.match(raw.received(), /<1>.*<2>.*Connection: close.*<3>$/s);

  for (const isStream of [false, true]) {
    using leaver = await connectRaw(url);
    leaver.send(rawRequest('GET', '/'));
    const left = await waitUntil('it is there', () => exchanges[isStream ? 4 : 3]);
    if (isStream) left.reply.begin(200, ['content-type', 'text/event-stream']);
    leaver.socket.destroy();
    await waitUntil('it is known', () => left.cancellation.reason === 'caller-left');
  }
});

test('whoever left is found out though what stands between took the first three knocks for one', async (t) => {
  const exchanges: Exchange[] = [];
  handle = (exchange) => void exchanges.push(exchange);
  const { hostname, port } = new URL(url);
  let upstream: Socket | undefined;
  const between = createServer({ allowHalfOpen: true }, (client) => {
    const towards = (upstream = connect({ host: hostname, port: Number(port), allowHalfOpen: true }));
    client.pipe(towards);
    towards.on('data', (bytes) => client.write(bytes));
    client.on('error', () => towards.destroy());
    client.on('end', () => towards.pause());
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  const leaver = connect((between.address() as AddressInfo).port, '127.0.0.1');
  leaver.write(rawRequest('GET', '/'));
  const left = await waitUntil('it is there', () => exchanges[0]);

  t.mock.timers.enable({ apis: ['setTimeout'] });
  const settle = async () => {
    for (let turns = 0; turns < 200; turns++) await new Promise((resolve) => setImmediate(resolve));
  };
  leaver.destroy();
  await settle();
  for (const waitMs of [20, 200]) {
    t.mock.timers.tick(waitMs);
    await settle();
  }
  upstream?.resume();
  await settle();
  t.mock.timers.tick(2000);
  await settle();
  assert.equal(left.cancellation.isCancelled, false, 'the system has not told it yet');
  t.mock.timers.tick(20_000);
  t.mock.timers.reset();
  await waitUntil('it is known', () => left.cancellation.reason === 'caller-left');
  between.close();
});

test('a body is asked for when somebody wants it, and a caller who was not asked is not waited for', async () => {
  handle = async (exchange) => {
    if (exchange.query === 'unwanted') throw new Refusal('model_not_found', 'No.');
    assert.equal((await exchange.readBody()).toString(), '"body"');
    answer(exchange);
  };
  const head = (target: string) => rawRequest('POST', target, ['Expect: 100-continue', 'Content-Length: 6']);
  using raw = await connectRaw(url);
  raw.send(head('/?1'));
  await waitUntil('it is asked for', () => raw.received().includes('100 Continue'));
  raw.send('"body"');
  await waitUntil('it is answered', () => raw.received().includes('<1>'));
  assert.match(raw.received(), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK.*keep-alive/s);
  using unwanted = await connectRaw(url);
  unwanted.send(head('/?unwanted'));
  await unwanted.untilClosed();
  assert.match(unwanted.received(), /^HTTP\/1\.1 404 .*Connection: close/s);
});

test('an upload that is refused is read away, and the connection serves on', async () => {
  handle = async (exchange) => {
    if (exchange.method === 'GET') return answer(exchange);
    if (exchange.query === 'unread') throw new Refusal('model_not_found', 'No.');
    await exchange.readBody({ maxBytes: 10 });
  };
  using raw = await connectRaw(url);
  const megabyte = 'x'.repeat(1e6);
  const chunks = `f4240\r\n${megabyte}\r\n0\r\n\r\n`;
  raw.send(rawRequest('POST', '/?unread', [], megabyte) + rawRequest('GET', '/?1'));
  raw.send(rawRequest('POST', '/?long', [], megabyte) + rawRequest('GET', '/?2'));
  raw.send(
    `${rawRequest('POST', '/?long', ['Transfer-Encoding: chunked'])}${chunks}${rawRequest('GET', '/?3')}`,
  );
  await waitUntil('all are answered', () => raw.received().includes('<3>'));
  const statuses = [...raw.received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  assert.deepEqual(statuses, ['404', '200', '413', '200', '413', '200']);
});

test('a body comes whole, however it is framed and cut', async () => {
  const text = JSON.stringify('ü'.repeat(200_000));
  handle = async (exchange) => {
    const body = await exchange.readBody();
    exchange.reply.begin(200, []);
    exchange.reply.end(`equal: ${body.equals(Buffer.from(text))}`);
  };
  const bytes = Buffer.from(text);
  for (const size of [700, 5000, 65_536, bytes.length]) {
    using raw = await connectRaw(url);
    raw.send(rawRequest('POST', '/', ['Transfer-Encoding: chunked']));
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      raw.send(`${piece.length.toString(16)}\r\n`);
      raw.send(piece);
      raw.send('\r\n');
    }
    raw.send('0\r\nx-trailer: y\r\n\r\n');
    await waitUntil('it is answered', () => raw.received().includes('equal: '));
    assert.match(raw.received(), /equal: true/);
  }
});

test('the memory of a large body is given back, and with it nothing of the request behind it', async () => {
  const text = JSON.stringify('x'.repeat(40_000));
  const left: number[] = [];
  handle = async (exchange) => {
    const body = await exchange.readBody();
    const isWhole = body.equals(Buffer.from(text));
    exchange.forgetBody?.(body);
    left.push(body.length);
    exchange.reply.begin(200, []);
    exchange.reply.end(`equal: ${isWhole}. `);
  };
  const one = rawRequest('POST', '/', [], text);
  // One by one, two in one write, and one whose end comes with the beginning of the next.
  for (const writes of [[one], [one + one], [one.slice(0, 30_000), one.slice(30_000) + one]]) {
    using raw = await connectRaw(url);
    for (const write of writes) {
      raw.send(write);
      await sleep(20);
    }
    const count = writes.join('').split('POST').length - 1;
    await waitUntil('all are answered', () => raw.received().split('equal: true').length - 1 === count);
  }
  assert.equal(left[0], 0, 'a body that came with its head');
});

test('whoever speaks HTTP/1.0 reads a stream to the end of the connection, or is kept if they ask', async () => {
  handle = ({ reply, query }) => {
    reply.begin(200, []);
    if (query === 'stream') reply.write('a');
    reply.end('b');
  };
  using raw = await connectRaw(url);
  raw.send('GET /?whole HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
  await waitUntil('it is answered', () => raw.received().endsWith('b'));
  assert.match(raw.received(), /connection: keep-alive/i);
  raw.send('GET /?stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
  await raw.untilClosed();
  assert.match(raw.received(), /Connection: close\r\n\r\nab$/);
  assert.doesNotMatch(raw.received(), /chunked/i);
});

test('where encryption is expected, a handshake cut anywhere is one, and whoever speaks without it is told', async () => {
  handle = answer;
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-http-'));
  after(() => rmSync(folder, { recursive: true }));
  const tls = { ...writeCertificate(folder), http2: true };
  const secure = createHttp({ ...options, tls });
  const address = await secure.listen();
  after(() => secure.close());

  using plain = await connectRaw(address.url);
  plain.send(rawRequest('GET', '/'));
  const told = await plain.response();
  assert.equal(told.status, 400);
  assert.match(told.body, /https:\/\//);

  // Every byte by itself, on its way to the service.
  using relayed = await connectRaw(address.url);
  const line = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      for (const byte of bytes) relayed.send(Buffer.of(byte));
      done();
    },
  });
  relayed.socket.on('data', (bytes) => line.push(bytes));
  const client = connectTls({ socket: line, ca: certificate, servername: 'localhost' });
  const heard: string[] = [];
  client.on('data', (bytes: Buffer) => heard.push(bytes.toString()));
  client.write(rawRequest('GET', '/?1'));
  await waitUntil('it is answered', () => heard.join('').endsWith('<1>'));
});
