import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { Duplex } from 'node:stream';
import { after, test } from 'node:test';
import fc from 'fast-check';
import {
  anyCase,
  body,
  closeCuts,
  cutAt,
  everyByte,
  fields,
  latin1,
  malformedMessages,
  wounded,
} from '#harness/http-forms';
import { readHeaders } from './headers.ts';
import { BadRequest, type RequestHead } from './request-head.ts';
import { RequestParser } from './request-parser.ts';

interface ReadRequest {
  readonly head: Pick<RequestHead, 'method' | 'target'> & { readonly headers: object };
  readonly body: string;
}

interface Reading {
  readonly requests: readonly ReadRequest[];
  /** Open: more is expected. Between: everything was part of a whole request. */
  readonly verdict: 'between' | 'open' | 'bad';
  readonly last: RequestHead | undefined;
  /** How many requests came before the connection was to end; what follows them is nobody's. */
  readonly servedCount: number;
}

/** What becomes of `bytes` when they arrive cut at the given places. */
function read(bytes: Buffer, cuts: readonly number[] = []): Reading {
  const requests: ReadRequest[] = [];
  let last: RequestHead | undefined;
  let servedCount = Infinity;
  let pieces: Buffer[] = [];
  const parser = new RequestParser(
    {
      headArrived: (head) => (last = head),
      bodyArrived: (piece) => void pieces.push(piece),
      requestEnded() {
        const { method = '', target = '', fields = [] } = last ?? {};
        const headers = readHeaders(fields);
        const body = Buffer.concat(pieces).toString('latin1');
        requests.push({ head: { method, target, headers: { ...headers } }, body });
        if (last?.staysOpen === false) servedCount = Math.min(servedCount, requests.length);
        pieces = [];
      },
    },
    maxHeadBytes,
  );
  try {
    for (let piece of cutAt(bytes, cuts))
      while (piece.length > 0) piece = piece.subarray(piece.length - parser.read(piece));
  } catch (thrown) {
    assert.ok(thrown instanceof BadRequest, String(thrown));
    return { requests, verdict: 'bad', last, servedCount };
  }
  return { requests, verdict: parser.isUnderWay ? 'open' : 'between', last, servedCount };
}

const maxHeadBytes = 16 * 1024;

/** A request in every form that HTTP/1.1 has for it, and what must be read out of it. */
const request = fc
  .record({
    blank: fc.constantFrom('', '', '', '\r\n'),
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND', 'M-SEARCH', 'HEAD'),
    target: fc.constantFrom(
      '/',
      '/a/b?c=d&e',
      '//%2e/\\"<>',
      '*',
      'http://a.b:80/c',
      'HTTPS://[::1]?x',
      '/#?',
    ),
    version: fc.constantFrom('1.1', '1.1', '1.0'),
    before: fields,
    between: fields,
    framing: fc.constantFrom('length' as const, 'chunks' as const, 'none' as const),
    name: anyCase,
    sent: body,
  })
  .map((made) => {
    const isChunked = made.framing === 'chunks' && made.version === '1.1';
    const text = made.framing === 'none' ? '' : made.sent.text;
    const framing = isChunked
      ? `${made.name('transfer-encoding')}: ${made.name('chunked')}\r\n`
      : made.framing === 'none'
        ? ''
        : `${made.name('content-length')}: ${text.length}\r\n`;
    const line = `${made.method} ${made.target} HTTP/${made.version}\r\n`;
    const head = `${line}${made.before}${made.name('host')}: x\r\n${made.between}${framing}\r\n`;
    const bytes = latin1(made.blank + head + (isChunked ? made.sent.inChunks : text));
    return { bytes, body: text, method: made.method, target: made.target };
  });

test('whatever the form and wherever they are cut, requests are read as they were meant', () => {
  fc.assert(
    fc.property(
      fc.array(request, { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(900), { maxLength: 12 }),
      fc.boolean(),
      (made, cuts, isTorn) => {
        const bytes = Buffer.concat(made.map((one) => one.bytes));
        const reading = read(bytes, isTorn ? everyByte(bytes) : cuts);
        assert.equal(reading.verdict, 'between');
        assert.deepEqual(
          reading.requests.map(({ head, body }) => [head.method, head.target, body]),
          made.map(({ method, target, body }) => [method, target, body]),
        );
      },
    ),
    { numRuns: 400 },
  );
});

test('a request that stops anywhere has not ended', () => {
  fc.assert(
    fc.property(request, fc.nat(), (made, stop) => {
      const reading = read(made.bytes.subarray(0, stop % made.bytes.length));
      assert.notEqual(reading.verdict, 'bad');
      assert.equal(reading.requests.length, 0);
    }),
    { numRuns: 300 },
  );
});

const mutated = wounded(request.map(({ bytes }) => bytes));

test('no cut changes what a broken request is taken for', () => {
  fc.assert(
    fc.property(mutated, fc.array(fc.nat(600), { maxLength: 8 }), (bytes, cuts) => {
      const { verdict, requests } = read(bytes);
      for (const reading of [read(bytes, cuts), read(bytes, everyByte(bytes))])
        assert.deepEqual({ verdict: reading.verdict, requests: reading.requests }, { verdict, requests });
    }),
    { numRuns: 700 },
  );
});

test("what is taken for a request is the same request to Node's own parser, and what it refuses is refused", async () => {
  const counts = { same: 0, stricter: 0, bothRefused: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        { weight: 3, arbitrary: mutated },
        { weight: 1, arbitrary: request.map(({ bytes }) => bytes) },
      ),
      async (bytes) => {
        const ours = read(bytes);
        const theirs = await readByNode(bytes);
        const served = ours.requests.slice(0, ours.servedCount);
        // Stricter we may be; then nothing of ours is read behind what was refused.
        const compared = ours.verdict === 'bad' ? theirs.requests.slice(0, served.length) : theirs.requests;
        assert.deepEqual(served, compared);
        if (theirs.isRefused) assert.notEqual(ours.verdict, 'between');
        if (ours.verdict !== 'bad') counts.same++;
        else if (theirs.isRefused) counts.bothRefused++;
        else counts.stricter++;
      },
    ),
    { numRuns: 800 },
  );
  assert.ok(counts.same > 100 && counts.bothRefused > 100, JSON.stringify(counts));
});

const nodes = createServer({ maxHeaderSize: maxHeadBytes, requireHostHeader: false });
after(() => nodes.close());
const readings = new WeakMap<object, { requests: ReadRequest[]; isRefused: boolean }>();
nodes.on('request', (message, response) => {
  const pieces: Buffer[] = [];
  message.on('data', (piece: Buffer) => pieces.push(piece));
  message.on('end', () => {
    const { method = '', url: target = '', headers } = message;
    const body = Buffer.concat(pieces).toString('latin1');
    readings.get(message.socket)?.requests.push({ head: { method, target, headers: { ...headers } }, body });
    response.end();
  });
});
nodes.on('clientError', (_error, socket) => {
  const reading = readings.get(socket);
  if (reading !== undefined) reading.isRefused = true;
});

async function readByNode(bytes: Buffer): Promise<{ requests: ReadRequest[]; isRefused: boolean }> {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const reading = { requests: [] as ReadRequest[], isRefused: false };
  readings.set(socket, reading);
  nodes.emit('connection', socket);
  socket.push(bytes);
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
  return reading;
}

const get = 'GET / HTTP/1.1\r\nhost: x\r\n';
const post = 'POST / HTTP/1.1\r\nhost: x\r\n';
const refused: Readonly<Record<string, string>> = {
  ...malformedMessages(post),
  'chunks in HTTP/1.0': 'POST / HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'line feeds only': 'GET / HTTP/1.1\nhost: x\n\n',
  'another version': 'GET / HTTP/2.0\r\nhost: x\r\n\r\n',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a version of no number': 'GET / HTTP/1.x\r\nhost: x\r\n\r\n',
  'no version': 'GET /\r\nhost: x\r\n\r\n',
  'a blank behind the version': 'GET / HTTP/1.1 \r\nhost: x\r\n\r\n',
  'two blanks before the target': 'GET  / HTTP/1.1\r\nhost: x\r\n\r\n',
  'a tab before the target': 'GET\t/ HTTP/1.1\r\nhost: x\r\n\r\n',
  'a blank before the method': ' GET / HTTP/1.1\r\nhost: x\r\n\r\n',
  'a method in small letters': 'get / HTTP/1.1\r\nhost: x\r\n\r\n',
  'a method nobody knows': 'GOT / HTTP/1.1\r\nhost: x\r\n\r\n',
  'a tunnel': 'CONNECT a:22 HTTP/1.1\r\nhost: a:22\r\n\r\n',
  'the name of a server as target': 'GET a:22 HTTP/1.1\r\nhost: a:22\r\n\r\n',
  'a target without a slash': 'GET a HTTP/1.1\r\nhost: x\r\n\r\n',
  'a target of another scheme': 'GET ftp://a/b HTTP/1.1\r\nhost: x\r\n\r\n',
  'a target with a password': 'GET http://a:b@c/d HTTP/1.1\r\nhost: x\r\n\r\n',
  'a target with a control character': 'GET /\u0001 HTTP/1.1\r\nhost: x\r\n\r\n',
  'a target with a letter beyond ASCII': 'GET /ü HTTP/1.1\r\nhost: x\r\n\r\n',
  'another protocol': '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
  'words that are no request': 'hello there',
  'blank lines without end': '\r\n'.repeat(9),
  'a huge target': `GET /${'a'.repeat(17_000)}`,
};

for (const [name, text] of Object.entries(refused))
  test(`refused: ${name}`, () => {
    const bytes = latin1(text);
    for (const cuts of [[], closeCuts(bytes)]) {
      const reading = read(bytes, cuts);
      assert.deepEqual([reading.verdict, reading.requests.length], ['bad', 0]);
    }
  });

test('a connection stays open as its version and the caller have it', () => {
  const staysOpen = (text: string) => read(latin1(text)).last?.staysOpen;
  assert.equal(staysOpen(`${get}\r\n`), true);
  assert.equal(staysOpen(`${get}Connection: x, Close\r\n\r\n`), false);
  assert.equal(staysOpen(`${get}connection: keep-alive\r\nconnection: close\r\n\r\n`), false);
  assert.equal(staysOpen('GET / HTTP/1.0\r\n\r\n'), false);
  assert.equal(staysOpen('GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n'), true);
  assert.equal(staysOpen('GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n'), false);
});

test('HTTP/1.1 names one host, HTTP/1.0 one at most', () => {
  const namesOneHost = (text: string) => read(latin1(text)).last?.namesOneHost;
  assert.equal(namesOneHost(`${get}\r\n`), true);
  assert.equal(namesOneHost(`${get}Host: x\r\n\r\n`), false);
  assert.equal(namesOneHost('GET / HTTP/1.1\r\n\r\n'), false);
  assert.equal(namesOneHost('GET / HTTP/1.0\r\n\r\n'), true);
  assert.equal(namesOneHost('GET / HTTP/1.0\r\nhost: x\r\nHOST: y\r\n\r\n'), false);
});

test('what arrives in one read is handed on in one piece', () => {
  const pieces: string[] = [];
  const parser = new RequestParser(
    {
      headArrived() {},
      bodyArrived: (piece) => void pieces.push(piece.toString('latin1')),
      requestEnded() {},
    },
    maxHeadBytes,
  );
  parser.read(latin1(`${post}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n4\r\nfg`));
  parser.read(latin1('hi\r\n1\r\nj\r\n0\r\n\r\n'));
  assert.deepEqual(pieces, ['abcdefg', 'hij']);
});
