import assert from 'node:assert/strict';
import { request } from 'node:http';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AnswerHead, BadAnswer } from './answer-head.ts';
import { AnswerParser } from './answer-parser.ts';

interface Reading {
  readonly head: AnswerHead | undefined;
  readonly body: string;
  /** Open: more is expected. */
  readonly verdict: 'ended' | 'open' | 'bad';
  readonly strayBytes: number;
}

/** What becomes of `bytes` when they arrive cut at the given places, and of the connection's end if that comes too. */
function read(bytes: Buffer, cuts: readonly number[] = [], isClosed = false): Reading {
  let head: AnswerHead | undefined;
  let verdict: Reading['verdict'] = 'open';
  let strayBytes = 0;
  const pieces: Buffer[] = [];
  const parser = new AnswerParser({
    headArrived: (arrived) => (head = arrived),
    // A piece is lent for the time of the call.
    bodyArrived: (piece) => void pieces.push(Buffer.from(piece)),
    answerEnded: () => (verdict = 'ended'),
  });
  const borders = [...new Set(cuts)].filter((cut) => cut > 0 && cut < bytes.length).sort((a, b) => a - b);
  try {
    for (const [index, start] of [0, ...borders].entries()) {
      // Each read is memory of its own, as a socket's is: the parser may move bytes in it.
      const piece = Buffer.from(bytes.subarray(start, borders[index] ?? bytes.length));
      strayBytes = parser.read(piece);
      if ((verdict as string) === 'ended') break;
    }
    if (isClosed) parser.close();
  } catch (thrown) {
    assert.ok(thrown instanceof BadAnswer, String(thrown));
    verdict = 'bad';
  }
  return { head, body: Buffer.concat(pieces).toString('latin1'), verdict, strayBytes };
}

const everyByte = (bytes: Buffer) => Array.from(bytes, (_, index) => index);
const latin1 = (text: string) => Buffer.from(text, 'latin1');

const bodyText = fc.string({
  unit: fc.constantFrom('a', '\r', '\n', '0', ':', ' ', 'ÿ', '\0', '1\r\n\r\n'),
  maxLength: 40,
});
const spacing = fc.constantFrom('', ' ', '\t', '  ');
const field = fc
  .tuple(
    fc.constantFrom('date', 'Server', 'x-a.b_c~', 'Content-Typo'),
    spacing,
    fc.constantFrom('', 'x', 'a, b', 'ü', '"q"'),
    spacing,
  )
  .map(([name, before, value, after]) => `${name}:${before}${value}${after}\r\n`);
const fields = fc.array(field, { maxLength: 4 }).map((lines) => lines.join(''));
const interim = fc.array(
  fc.constantFrom('HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'),
  {
    maxLength: 3,
  },
);
const chunkExtension = fc.constantFrom('', ';a', ';a=b', ';a="b; c"', ';a;b=c');
const hex = fc.constantFrom(
  (size: number) => size.toString(16),
  (size: number) => size.toString(16).toUpperCase().padStart(4, '0'),
);

/** An answer in every form that HTTP/1.1 has for it, and what must be read out of it. */
const answer = fc
  .record({
    interim,
    before: fields,
    after: fields,
    status: fc.constantFrom(200, 201, 400, 503, 599),
    framing: fc.constantFrom('length' as const, 'chunks' as const, 'close' as const),
    name: fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
    ),
    parts: fc.array(
      bodyText.filter((text) => text !== ''),
      { maxLength: 5 },
    ),
    extension: chunkExtension,
    hex,
    trailers: fields,
  })
  .map((made) => {
    const body = made.parts.join('');
    const framing = {
      length: `${made.name('content-length')}: ${body.length}\r\n`,
      chunks: `${made.name('transfer-encoding')}: ${made.name('chunked')}\r\n`,
      close: '',
    }[made.framing];
    const chunks = [
      ...made.parts.map((part) => `${made.hex(part.length)}${made.extension}\r\n${part}\r\n`),
      `0${made.extension}\r\n${made.trailers}\r\n`,
    ].join('');
    const head = `HTTP/1.1 ${made.status} Some reason\r\n${made.before}${framing}${made.after}\r\n`;
    const text = made.interim.join('') + head + (made.framing === 'chunks' ? chunks : body);
    return { bytes: latin1(text), body, status: made.status, framing: made.framing };
  });

test('whatever the form and wherever it is cut, an answer is read as it was meant', () => {
  fc.assert(
    fc.property(answer, fc.array(fc.nat(600), { maxLength: 12 }), fc.boolean(), (made, cuts, isTorn) => {
      const reading = read(made.bytes, isTorn ? everyByte(made.bytes) : cuts, made.framing === 'close');
      assert.equal(reading.verdict, 'ended');
      assert.equal(reading.body, made.body);
      assert.equal(reading.head?.status, made.status);
      assert.equal(reading.strayBytes, 0);
    }),
    { numRuns: 400 },
  );
});

test('an answer that stops anywhere has not ended, and bytes behind its end are told', () => {
  fc.assert(
    fc.property(
      answer.filter(({ framing }) => framing !== 'close'),
      fc.nat(),
      fc.integer({ min: 1, max: 20 }),
      (made, stop, more) => {
        const part = made.bytes.subarray(0, stop % made.bytes.length);
        assert.equal(read(part).verdict, 'open');
        assert.equal(read(part, [], true).verdict, 'bad');
        const followed = read(Buffer.concat([made.bytes, Buffer.alloc(more, 'H')]));
        assert.deepEqual([followed.verdict, followed.body, followed.strayBytes], ['ended', made.body, more]);
      },
    ),
  );
});

const hostileBytes = fc.constantFrom(
  '\r',
  '\n',
  '\0',
  ' ',
  ':',
  '0',
  'f',
  '\r\n',
  '\r\n\r\n',
  ';',
  '-',
  'ÿ',
  'chunked',
  '1',
);

/** A good answer with a few bytes put in, taken out or written over. */
const mutated = fc
  .tuple(answer, fc.array(fc.tuple(fc.nat(), fc.nat(3), hostileBytes), { minLength: 1, maxLength: 3 }))
  .map(([{ bytes }, wounds]) => {
    let text = bytes.toString('latin1');
    for (const [at, taken, put] of wounds) {
      const place = at % (text.length + 1);
      text = text.slice(0, place) + put + text.slice(place + taken);
    }
    return latin1(text);
  });

test('no cut changes what a broken answer is taken for', () => {
  fc.assert(
    fc.property(mutated, fc.array(fc.nat(600), { maxLength: 8 }), (bytes, cuts) => {
      const whole = read(bytes);
      for (const reading of [read(bytes, cuts), read(bytes, everyByte(bytes))]) {
        assert.equal(reading.verdict, whole.verdict);
        if (whole.verdict === 'ended') assert.equal(reading.body, whole.body);
      }
    }),
    { numRuns: 500 },
  );
});

test("what is taken for an answer is the same answer to Node's own parser", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        mutated,
        answer.map(({ bytes }) => bytes),
      ),
      async (bytes) => {
        const ours = read(bytes);
        if (ours.verdict !== 'ended' || ours.strayBytes > 0) return;
        const theirs = await readByNode(bytes);
        assert.deepEqual([ours.head?.status, ours.body], [theirs.status, theirs.body]);
        compared++;
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(compared > 0);
});

function readByNode(bytes: Buffer): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    const asked = request({ createConnection: () => socket, method: 'POST' }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode, body: Buffer.concat(pieces).toString('latin1') }),
      );
    });
    asked.on('error', reject);
    asked.end();
    socket.push(bytes);
  });
}

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const refused: Readonly<Record<string, string>> = {
  'a length and chunks': `${ok}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  'chunks and a length': `${ok}transfer-encoding: chunked\r\ncontent-length: 3\r\n\r\nabc`,
  'two lengths': `${ok}content-length: 3\r\ncontent-length: 3\r\n\r\nabc`,
  'a list of lengths': `${ok}content-length: 3, 3\r\n\r\nabc`,
  'a length with a sign': `${ok}content-length: +3\r\n\r\nabc`,
  'a length in hexadecimal': `${ok}content-length: 0x3\r\n\r\nabc`,
  'a length beyond all measure': `${ok}content-length: 9999999999999999\r\n\r\nabc`,
  'an empty length': `${ok}content-length:\r\n\r\nabc`,
  'another transfer encoding': `${ok}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  'chunked twice': `${ok}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a transfer encoding that looks like chunked': `${ok}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'chunks in HTTP/1.0': 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'a blank before the colon': `${ok}content-length : 3\r\n\r\nabc`,
  'a folded line': `${ok}x: a\r\n content-length: 3\r\n\r\nabc`,
  'a field without a name': `${ok}: a\r\n\r\n`,
  'a line without a colon': `${ok}content-length\r\n\r\n`,
  'a lone line feed in a field': `${ok}x: a\ncontent-length: 0\r\n\r\n`,
  'a lone carriage return': `${ok}x: a\rb\r\n\r\n`,
  'a NUL': `${ok}x: a\0b\r\n\r\n`,
  'a name with a control character': `${ok}x\u0001y: a\r\n\r\n`,
  'another version': 'HTTP/2.0 200 OK\r\n\r\n',
  'a status of two digits': 'HTTP/1.1 20 OK\r\n\r\n',
  'a status of four digits': 'HTTP/1.1 2000 OK\r\n\r\n',
  'a status beyond the known classes': 'HTTP/1.1 999 OK\r\n\r\n',
  'no blank behind the status': 'HTTP/1.1 200\r\n\r\n',
  'two blanks before the status': 'HTTP/1.1  200 OK\r\n\r\n',
  'a line before the status line': '\r\nHTTP/1.1 200 OK\r\n\r\n',
  'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n',
  'an interim answer with a length': `HTTP/1.1 100 Continue\r\ncontent-length: 3\r\n\r\nabc${ok}\r\n`,
  'an interim answer of HTTP/1.0': `HTTP/1.0 100 Continue\r\n\r\n${ok}content-length: 0\r\n\r\n`,
  'an interim answer that closes': `HTTP/1.1 100 Continue\r\nconnection: close\r\n\r\n${ok}content-length: 0\r\n\r\n`,
  'interim answers without end': 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(9),
  'no length of a chunk': `${chunked}\r\nabc\r\n0\r\n\r\n`,
  'a length of a chunk with a sign': `${chunked}-3\r\nabc\r\n0\r\n\r\n`,
  'a length of a chunk with a prefix': `${chunked}0x3\r\nabc\r\n0\r\n\r\n`,
  'a length of a chunk with a blank': `${chunked}3 \r\nabc\r\n0\r\n\r\n`,
  'a length of a chunk beyond all measure': `${chunked}fffffffff\r\nabc`,
  'a chunk line ended by a line feed': `${chunked}3\nabc\r\n0\r\n\r\n`,
  'a carriage return in a chunk extension': `${chunked}3;a\rb\r\nabc\r\n0\r\n\r\n`,
  'a chunk extension without a name': `${chunked}3;\r\nabc\r\n0\r\n\r\n`,
  'a chunk longer than it says': `${chunked}3\r\nabcd\r\n0\r\n\r\n`,
  'a chunk shorter than it says': `${chunked}5\r\nabc\r\n0\r\n\r\n`,
  'a chunk ended by a line feed': `${chunked}3\r\nabc\n0\r\n\r\n`,
  'an endless chunk extension': `${chunked}3;${'a'.repeat(300)}`,
  'a malformed trailer': `${chunked}0\r\nx : a\r\n\r\n`,
  'an endless trailer': `${chunked}0\r\nx: ${'a'.repeat(17_000)}`,
  'a huge field': `${ok}x: ${'a'.repeat(17_000)}`,
  'a huge field that ends': `${ok}x: ${'a'.repeat(17_000)}\r\n\r\n`,
  'too many fields': `${ok}${'x: a\r\n'.repeat(129)}\r\n`,
  'a head of line feeds': 'HTTP/1.1 200 OK\n\n'.repeat(2000),
};

for (const [name, text] of Object.entries(refused))
  test(`refused: ${name}`, () => {
    const bytes = latin1(text);
    // A long one is the same at every byte: it is cut at a few hundred.
    const step = Math.ceil(bytes.length / 500);
    const cuts = everyByte(bytes).filter((at) => at % step === 0);
    for (const cutAt of [[], cuts]) assert.equal(read(bytes, cutAt).verdict, 'bad');
  });

test('only an answer that says so in every way leaves its connection open', () => {
  const staysOpen = (text: string) => read(latin1(text)).head?.staysOpen;
  assert.equal(staysOpen(`${ok}content-length: 0\r\n\r\n`), true);
  assert.equal(staysOpen(`${ok}connection: keep-alive\r\ncontent-length: 0\r\n\r\n`), true);
  assert.equal(staysOpen(`${ok}Connection: x, Close\r\ncontent-length: 0\r\n\r\n`), false);
  assert.equal(staysOpen('HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n'), false);
  for (const status of [204, 304]) {
    const reading = read(latin1(`HTTP/1.1 ${status} -\r\ncontent-length: 3\r\n\r\nabc`));
    assert.deepEqual(
      [reading.verdict, reading.body, reading.strayBytes, reading.head?.staysOpen],
      ['ended', '', 3, false],
    );
  }
  assert.equal(read(latin1(`${ok}keep-alive: timeout=2, max=9\r\n\r\n`)).head?.keptOpenMs, 2000);
});

test('what arrives in one read is handed on in one piece', () => {
  const pieces: string[] = [];
  const parser = new AnswerParser({
    headArrived() {},
    bodyArrived: (piece) => void pieces.push(piece.toString('latin1')),
    answerEnded() {},
  });
  parser.read(latin1(`${chunked}3\r\nabc\r\n2\r\nde\r\n4\r\nfg`));
  parser.read(latin1('hi\r\n1\r\nj\r\n0\r\n\r\n'));
  assert.deepEqual(pieces, ['abcdefg', 'hij']);
});
