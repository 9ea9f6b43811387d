import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { certificate, writeCertificate } from '#harness/certificate';
import { waitUntil, within } from '#harness/wait-until';
import { systemClock } from '#vocabulary/clock';
import type { Exchange } from '#vocabulary/exchange';
import { silentLogger } from '#vocabulary/logger';
import { writeRequestHead } from './http2-stream.ts';
import { createCallerBudgets, createHttp, type HttpOptions, type HttpServer } from './http.ts';

/** Servers whose only route does what the test says. */
let handle: (exchange: Exchange) => void | Promise<void> = () => {};
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-http2-'));
after(() => rmSync(folder, { recursive: true }));
const tls = { ...writeCertificate(folder), http2: true };
const limits = {
  maxBodyBytes: 4e6,
  maxHeaderBytes: 16_384,
  maxConnections: 1000,
  maxConnectionsPerAddress: 1000,
  headerTimeoutMs: 60_000,
  bodyTimeoutMs: 60_000,
  slowReaderMs: 60_000,
};
const budgets = { totalBytes: 1e9, callerBytes: 1e9, maxRequestsPerAddress: 1000 };
const logger = { ...silentLogger, error: (_fields: object, message: string) => assert.fail(message) };
const options: HttpOptions = {
  listen: { host: '127.0.0.1', port: 0 },
  tls,
  limits,
  budgets: createCallerBudgets({ ...budgets, isTrustedProxy: () => false }),
  addressOf: ({ peerAddress }) => peerAddress,
  isTrustedProxy: () => false,
  routeOf: () => ({ door: 'none', headers: ['x-a', 'b'], handle: (exchange) => handle(exchange) }),
  onRefusal() {},
  clock: systemClock,
  logger,
};
const { url } = await start();

async function start(own: Partial<HttpOptions['limits']> = {}): Promise<{ http: HttpServer; url: string }> {
  const http = createHttp({ ...options, limits: { ...limits, ...own } });
  const address = await http.listen();
  after(() => http.close());
  return { http, url: address.url };
}

function open(to = url): ClientHttp2Session & Disposable {
  const session = connect(to, { ca: certificate, servername: 'localhost' });
  session.on('error', () => {});
  return Object.assign(session, { [Symbol.dispose]: () => session.destroy() });
}

interface Heard {
  readonly stream: ClientHttp2Stream;
  status: number | undefined;
  headers: OutgoingHttpHeaders;
  body: Buffer;
  isClosed: boolean;
}

/** Without a body the request is left open; `null` ends it with its head. */
function ask(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: Buffer | string | null,
): Heard {
  const stream = session.request({ ':authority': 'localhost', ...headers }, { endStream: body === null });
  const heard: Heard = { stream, status: undefined, headers: {}, body: Buffer.alloc(0), isClosed: false };
  stream.on('response', (answered) => {
    heard.status = answered[':status'];
    heard.headers = answered;
  });
  stream.on('data', (bytes: Buffer) => (heard.body = Buffer.concat([heard.body, bytes])));
  stream.on('error', () => {});
  stream.on('close', () => (heard.isClosed = true));
  if (typeof body === 'string' || body instanceof Buffer) stream.end(body);
  return heard;
}

async function whole(heard: Heard): Promise<Heard> {
  await waitUntil('the stream is over', () => heard.isClosed);
  return heard;
}

async function echo(exchange: Exchange): Promise<void> {
  const body = await exchange.readBody({ isPlainBytes: true });
  exchange.reply.begin(200, ['content-type', 'text/plain', 'x-peer', exchange.peerAddress]);
  exchange.reply.end(Buffer.concat([Buffer.from(`${exchange.method} ${exchange.path} `), body]));
  exchange.forgetBody?.(body);
}

const bytesType = { 'content-type': 'application/octet-stream' };

test('a hundred streams at once are each answered with what they sent, whole or in pieces', async () => {
  handle = echo;
  using session = open();
  const bodies = Array.from({ length: 100 }, (_, index) =>
    randomBytes(index === 0 ? 3_000_000 : 37 + index * 700),
  );
  const asked = bodies.map((body, index) =>
    ask(
      session,
      {
        ':method': 'POST',
        ':path': `/${index}`,
        ...bytesType,
        ...(index % 2 === 0 ? { 'content-length': body.length } : {}),
      },
      body,
    ),
  );
  for (const [index, heard] of asked.entries()) {
    const { status, headers, body, stream } = await whole(heard);
    assert.deepEqual([status, stream.rstCode, headers['x-peer']], [200, 0, '127.0.0.1']);
    const said = `POST /${index} `;
    assert.equal(body.subarray(0, said.length).toString(), said);
    assert.ok(body.subarray(said.length).equals(bodies[index] ?? Buffer.alloc(0)), String(index));
    assert.equal(headers['connection'] ?? headers['transfer-encoding'], undefined);
  }
});

test('answers without a body, with fields sent twice, and in pieces arrive as they are', async () => {
  handle = ({ reply, query }) => {
    const fields = ['set-cookie', 'a=1', 'set-cookie', 'b=2', 'etag', '"1"', 'etag', '"1"', 'x-word', 'é'];
    reply.begin(query === '' ? 200 : Number(query), fields);
    if (query !== '204') reply.write('x'.repeat(200_000));
    reply.end();
  };
  using session = open();
  for (const [method, path, status, bytes] of [
    ['HEAD', '/', 200, 0],
    ['GET', '/?204', 204, 0],
    ['GET', '/?304', 304, 0],
    ['GET', '/', 200, 200_000],
  ] as const) {
    const head = { ':method': method, ':path': path };
    const forms = [
      ask(session, head, null),
      ask(session, head, ''),
      ask(session, { ...head, 'content-length': 0 }, ''),
    ];
    for (const heard of forms) {
      await whole(heard);
      assert.deepEqual([heard.status, heard.body.length, heard.stream.rstCode], [status, bytes, 0]);
      assert.deepEqual(heard.headers['set-cookie'], ['a=1', 'b=2']);
      assert.equal(heard.headers['x-word'], 'é');
    }
    // Whoever never ends their request still has the whole answer.
    const open = ask(session, { ...head, 'content-length': 0 });
    await within('the answer to end', once(open.stream, 'end'));
    assert.deepEqual([open.status, open.body.length], [status, bytes]);
  }
});

test('a stream comes at once, and is cancelled by whoever leaves it or the session', async () => {
  const exchanges: Exchange[] = [];
  handle = (exchange) => {
    exchanges.push(exchange);
    exchange.reply.begin(200, ['content-type', 'text/event-stream']);
    exchange.reply.write('data: 1\n\n');
  };
  using session = open();
  const asked = ['/1', '/2', '/3'].map((path) => ask(session, { ':path': path }, ''));
  for (const heard of asked)
    await waitUntil('the first piece is here', () => heard.body.toString() === 'data: 1\n\n');
  const [left, aborted, gone] = exchanges;
  asked[0]?.stream.close(constants.NGHTTP2_CANCEL);
  await waitUntil('it is known', () => left?.cancellation.reason === 'caller-left');
  asked[1]?.stream.close(constants.NGHTTP2_NO_ERROR);
  await waitUntil('it is known', () => aborted?.cancellation.reason === 'caller-left');
  assert.equal(gone?.cancellation.isCancelled, false);
  gone?.reply.write('data: 2\n\n');
  await waitUntil('the other goes on', () => asked[2]?.body.toString().endsWith('2\n\n') === true);
  session.destroy();
  await waitUntil('it is known', () => gone?.cancellation.reason === 'caller-left');
});

test('an answer that is cut is seen to be cut', async () => {
  handle = ({ reply, cancellation }) => {
    reply.begin(200, []);
    reply.write('half');
    setImmediate(() => cancellation.cancel('caller-left'));
  };
  using session = open();
  const { stream } = await whole(ask(session, {}, ''));
  assert.equal(stream.rstCode, constants.NGHTTP2_INTERNAL_ERROR);
});

test('whoever reads nothing keeps nobody else waiting, and is cut off in the end', async () => {
  const small = await start({ slowReaderMs: 1000 });
  handle = ({ reply, path, cancellation }) => {
    reply.begin(200, []);
    reply.end(path === '/large' ? Buffer.alloc(5_000_000) : 'small');
    cancellation.onCancel((reason) => reasons.push(reason));
  };
  const reasons: string[] = [];
  using session = open(small.url);
  const large = Array.from({ length: 20 }, () => {
    const stream = session.request({ ':path': '/large' });
    stream.on('error', () => {});
    return stream;
  });
  await Promise.all(large.map((stream) => once(stream, 'response')));
  while (reasons.length < large.length) {
    const { status, body } = await whole(ask(session, { ':path': '/small' }, ''));
    assert.deepEqual([status, body.toString()], [200, 'small']);
  }
  assert.ok(reasons.every((reason) => reason === 'caller-left'));
  for (const stream of large) {
    await waitUntil('they are told', () => stream.closed);
    assert.equal(stream.rstCode, constants.NGHTTP2_INTERNAL_ERROR);
  }
});

test('a body that never ends and a session that asks for nothing have the time of a connection', async () => {
  const small = await start({ headerTimeoutMs: 2000, bodyTimeoutMs: 100 });
  handle = echo;
  using silent = open(small.url);
  using session = open(small.url);
  const heard = ask(session, { ':method': 'POST', ...bytesType });
  heard.stream.write('x');
  await waitUntil('it is refused', () => heard.status === 408);
  assert.match(heard.body.toString(), /request_timeout/);
  await waitUntil('it is closed', () => silent.closed);
});

test('a body is asked for where the caller waits to be asked, and refused before or behind it', async () => {
  handle = echo;
  using session = open();
  const invited = ask(session, { ':method': 'POST', expect: '100-continue', ...bytesType });
  await once(invited.stream, 'continue');
  invited.stream.end('asked');
  assert.equal((await whole(invited)).body.toString(), 'POST / asked');
  const announced = ask(session, { ':method': 'POST', 'content-length': 5_000_000, ...bytesType });
  await waitUntil('it is refused', () => announced.status === 413);
  const endless = ask(session, { ':method': 'POST', ...bytesType }, Buffer.alloc(4_000_001));
  assert.equal((await whole(endless)).status, 413);
  const wordy = ask(session, { 'x-word': 'x'.repeat(20_000) }, '');
  assert.equal((await whole(wordy)).status, 431);
});

const usual = [':method', 'POST', ':scheme', 'https', ':path', '/evil', ':authority', 'localhost'];
const without = (name: string) => usual.flatMap((word, at) => (usual[at - (at % 2)] === name ? [] : word));
const instead = (name: string, value: string) => [...without(name), name, value];

test('what could be read in two ways is refused, and hurts nobody on the same session', async () => {
  const seen: Exchange[] = [];
  handle = async (exchange) => {
    seen.push(exchange);
    await echo(exchange);
  };
  const evil = [
    instead(':path', '/x HTTP/1.1\r\nhost: a\r\n\r\nGET /evil'),
    instead(':path', '/evil HTTP/1.1'),
    instead(':path', 'evil'),
    instead(':method', 'GET /evil HTTP/1.1\r\nx: y'),
    instead(':method', 'CONNECT'),
    instead(':method', 'get'),
    instead(':authority', 'a\r\nx: y'),
    without(':path'),
    without(':method'),
    without(':authority'),
    [...usual, ':path', '/evil'],
    [...usual, ':protocol', 'websocket'],
    ['x-first', '1', ...usual],
    [...usual, 'Upper', 'a'],
    [...usual, 'connection', 'keep-alive'],
    [...usual, 'transfer-encoding', 'chunked'],
    [...usual, 'upgrade', 'websocket'],
    [...usual, 'host', 'elsewhere'],
    [...usual, 'content-length', '1'],
    [...usual, 'content-length', '0', 'content-length', '0'],
    [...usual, 'content-length', '+0'],
  ];
  using raw = await openRaw();
  for (const [index, fields] of evil.entries()) {
    raw.send(frame(1, 5, 2 * index + 1, fieldBlock(fields)));
    const { type, payload } = await raw.answerTo(2 * index + 1);
    // A reset for what is malformed, or the answer that HTTP/1.1 gives: 400 has the number 12 among all fields.
    assert.ok(type === 3 ? payload.readUInt32BE() === 1 : payload[0] === 0x8c, fields.join());
  }
  assert.equal(seen.length, 0);
  // Fields that are none are dropped before they come to us.
  const none = ['x', 'a\r\ncontent-length: 9', 'x', 'a\nb', 'x', 'a\0', 'x y', 'a', 'x:', 'a'];
  raw.send(frame(1, 5, 99, fieldBlock([...instead(':path', '/good'), ...none])));
  await raw.answerTo(99);
  assert.deepEqual(
    [seen[0]?.path, { ...seen[0]?.headers }],
    ['/good', { host: 'localhost', connection: 'close' }],
  );

  const type = ['content-type', 'application/octet-stream'];
  for (const [fields, ...frames] of [
    [['content-length', '3'], frame(0, 1, 1, Buffer.from('xGET /evil HTTP/1.1\r\nhost: a\r\n\r\n'))],
    [['content-length', '9'], frame(0, 1, 1, Buffer.from('x'))],
    // Half a body, and a reset that says that nothing is wrong.
    [[], frame(0, 0, 1, Buffer.from('x')), frame(3, 0, 1, Buffer.alloc(4))],
  ] as const) {
    using liar = await openRaw();
    liar.send(frame(1, 4, 1, fieldBlock([...usual, ...type, ...fields])));
    await waitUntil('it is there', () => seen.length > 1);
    for (const one of frames) liar.send(one);
    const { cancellation, reply } = await waitUntil('it is there', () => seen.pop());
    await waitUntil('it is cut off', () => cancellation.reason === 'caller-left');
    assert.equal(reply.hasBegun, false);
  }
  assert.equal(seen.length, 1);
});

test('what is written for HTTP/1.1 is what was asked for in HTTP/2, or nothing', () => {
  const { text = '' } =
    writeRequestHead([...usual, 'cookie', 'a=1', 'cookie', 'b', 'te', 'trailers'], true) ?? {};
  assert.equal(
    text,
    'POST /evil HTTP/1.1\r\nhost: localhost\r\ncookie: a=1\r\ncookie: b\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n',
  );
  for (const broken of ['a\r\nb: c', 'a\nb', 'a\rb', 'a\0', 'a\u{10a}b', 'a b\x7f']) {
    assert.equal(writeRequestHead([...usual, 'x', broken], false), undefined);
    assert.equal(writeRequestHead([...usual, broken, 'x'], false), undefined);
    for (const name of [':method', ':path', ':authority'])
      assert.equal(writeRequestHead(instead(name, broken), false), undefined);
  }
  for (const name of [
    'connection',
    'keep-alive',
    'proxy-connection',
    'transfer-encoding',
    'upgrade',
    ':path',
    'X',
  ])
    assert.equal(writeRequestHead([...usual, name, '/'], false), undefined);
  assert.equal(writeRequestHead([...usual, 'host', 'other'], false), undefined);
  assert.equal(writeRequestHead(without(':path'), false), undefined);
});

test('whoever opens streams only to reset them is cut off, and nobody else notices', async () => {
  let count = 0;
  handle = (exchange) => {
    count++;
    if (exchange.path === '/') answer(exchange);
  };
  using other = open();
  const running = ask(other, { ':path': '/stay' }, '');
  using raw = await openRaw();
  const block = fieldBlock([':method', 'GET', ':scheme', 'https', ':path', '/x', ':authority', 'localhost']);
  for (let id = 1; id < 20_000 && !raw.isClosed(); id += 2) {
    raw.send(frame(1, 5, id, block));
    if (id % 4 === 1) await new Promise((resolve) => setImmediate(resolve));
    raw.send(frame(3, 0, id, Buffer.from([0, 0, 0, id % 14])));
    if (id % 500 === 1) assert.equal((await whole(ask(other, { ':path': '/' }, ''))).status, 200);
  }
  await waitUntil('it is cut off', () => raw.isClosed());
  assert.ok(count < 3000, `${count} were served`);
  assert.equal(running.isClosed, false);
});

test('streams are counted as the connections of their address', async () => {
  const small = await start({ maxConnectionsPerAddress: 5 });
  const exchanges: Exchange[] = [];
  handle = (exchange) => void exchanges.push(exchange);
  using session = open(small.url);
  const asked = Array.from({ length: 5 }, () => ask(session, {}, ''));
  const refused = await waitUntil('one is refused', () => asked.find(({ isClosed }) => isClosed));
  assert.equal(refused.stream.rstCode, constants.NGHTTP2_REFUSED_STREAM);
  await waitUntil('the others are there', () => exchanges.length === 4);
  assert.deepEqual([small.http.openConnections(), small.http.refusedConnections()], [5, 1]);
  for (const exchange of exchanges) answer(exchange);
  for (const heard of asked) await whole(heard);
  await waitUntil('one is left', () => small.http.openConnections() === 1);
});

test('who is told to go finishes what is under way, and opens nothing new here', async () => {
  const { http, url: own } = await start();
  const exchanges: Exchange[] = [];
  handle = (exchange) => void exchanges.push(exchange);
  using session = open(own);
  using idle = open(own);
  await once(idle, 'connect');
  const heard = ask(session, {}, '');
  const exchange = await waitUntil('it is there', () => exchanges[0]);
  const goodbye = once(session, 'goaway');
  http.beginDrain();
  await within('the idle one to be closed', once(idle, 'close'));
  assert.equal((await goodbye)[0], constants.NGHTTP2_NO_ERROR);
  using late = open(own);
  const later = ask(late, {}, '');
  answer(await waitUntil('it is served, too', () => exchanges[1]));
  assert.equal((await whole(later)).status, 200);
  let isSettled = false;
  const settled = http.settled().then(() => (isSettled = true));
  assert.equal(isSettled, false);
  answer(exchange);
  assert.deepEqual([(await whole(heard)).status, heard.stream.rstCode], [200, 0]);
  await settled;
  await waitUntil('all are closed', () => session.closed && late.closed && http.openConnections() === 0);
});

test('HTTP/2 is offered only where it is wanted', async () => {
  handle = answer;
  for (const http2 of [true, false]) {
    const http = createHttp({ ...options, tls: { ...tls, http2 } });
    const { port } = await http.listen();
    const ALPNProtocols = ['h2', 'http/1.1'];
    const socket = connectTls({ port, ca: certificate, servername: 'localhost', ALPNProtocols });
    await once(socket, 'secureConnect');
    assert.equal(socket.alpnProtocol, http2 ? 'h2' : 'http/1.1');
    socket.destroy();
    await http.close();
  }
});

function answer({ reply }: Exchange): void {
  reply.begin(200, []);
  reply.end('answered');
}

/** For what no honest client would send. */
async function openRaw() {
  const { port } = new URL(url);
  const ALPNProtocols = ['h2'];
  const socket = connectTls({ port: Number(port), ca: certificate, servername: 'localhost', ALPNProtocols });
  await once(socket, 'secureConnect');
  let received = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => (received = Buffer.concat([received, bytes])));
  socket.on('error', () => {});
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(frame(4, 0, 0, Buffer.alloc(0)));
  const frames = () => {
    const all: { type: number; id: number; payload: Buffer }[] = [];
    for (let at = 0; at + 9 <= received.length;) {
      const end = at + 9 + received.readUIntBE(at, 3);
      if (end > received.length) break;
      const [type, id] = [received.readUInt8(at + 3), received.readUInt32BE(at + 5)];
      all.push({ type, id, payload: received.subarray(at + 9, end) });
      at = end;
    }
    return all;
  };
  return {
    frames,
    send: (bytes: Buffer) => void (socket.writable && socket.write(bytes)),
    isClosed: () => socket.closed || socket.readableEnded,
    /** The first frame of headers, or the reset. */
    answerTo: (id: number) =>
      waitUntil('it is answered', () => frames().find((one) => one.id === id && [1, 3].includes(one.type))),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

function frame(type: number, flags: number, id: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}

/** Every field as it is, none compressed; short ones only. */
function fieldBlock(fields: readonly string[]): Buffer {
  const parts: Buffer[] = [];
  for (const [index, word] of fields.entries()) {
    assert.ok(word.length < 127);
    if (index % 2 === 0) parts.push(Buffer.of(0));
    parts.push(Buffer.of(word.length), Buffer.from(word, 'latin1'));
  }
  return Buffer.concat(parts);
}
