import assert from 'node:assert/strict';
import { request } from 'node:http';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
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
  try {
    for (const piece of cutAt(bytes, cuts)) {
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

const interim = fc.array(
  fc.constantFrom('HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'),
  {
    maxLength: 3,
  },
);
/** An answer in every form that HTTP/1.1 has for it, and what must be read out of it. */
const answer = fc
  .record({
    interim,
    before: fields,
    after: fields,
    status: fc.constantFrom(200, 201, 400, 503, 599),
    framing: fc.constantFrom('length' as const, 'chunks' as const, 'close' as const),
    name: anyCase,
    sent: body,
  })
  .map((made) => {
    const { text, inChunks } = made.sent;
    const framing = {
      length: `${made.name('content-length')}: ${text.length}\r\n`,
      chunks: `${made.name('transfer-encoding')}: ${made.name('chunked')}\r\n`,
      close: '',
    }[made.framing];
    const head = `HTTP/1.1 ${made.status} Some reason\r\n${made.before}${framing}${made.after}\r\n`;
    const bytes = latin1(made.interim.join('') + head + (made.framing === 'chunks' ? inChunks : text));
    return { bytes, body: text, status: made.status, framing: made.framing };
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

const mutated = wounded(answer.map(({ bytes }) => bytes));

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
const refused: Readonly<Record<string, string>> = {
  ...malformedMessages(ok),
  'chunks in HTTP/1.0': 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'another version': 'HTTP/2.0 200 OK\r\n\r\n',
  'another protocol, which ends no line': '\0\0\x12\x04\0\0',
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
  'more fields than an engine sends': `${ok}${'x: a\r\n'.repeat(129)}\r\n`,
  'a head of line feeds': 'HTTP/1.1 200 OK\n\n'.repeat(2000),
};

for (const [name, text] of Object.entries(refused))
  test(`refused: ${name}`, () => {
    const bytes = latin1(text);
    for (const cuts of [[], closeCuts(bytes)]) assert.equal(read(bytes, cuts).verdict, 'bad');
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
  parser.read(latin1(`${ok}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n4\r\nfg`));
  parser.read(latin1('hi\r\n1\r\nj\r\n0\r\n\r\n'));
  assert.deepEqual(pieces, ['abcdefg', 'hij']);
});
