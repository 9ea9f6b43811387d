import assert from 'node:assert/strict';
import test from 'node:test';
import { createCallerBudgets } from './caller-budgets.ts';
import { type AnswerForm, HttpReply } from './http-reply.ts';

const limits = { totalBytes: 1e9, callerBytes: 1e9, maxRequestsPerAddress: 10, isTrustedProxy: () => false };

/** A line that writes down what is sent, one text for each call. */
function lineOf(form: Partial<AnswerForm> = {}) {
  const sent: string[] = [];
  let fate = 'open';
  const line = {
    unsentBytes: 0,
    staysOpen: true,
    send: (text: string) => sent.push(text) > 0,
    sendAround: (before: string, bytes: Buffer, after: string) =>
      sent.push(before + bytes.toString('latin1') + after) > 0,
    answerEnded: (isLast: boolean) => void (fate = isLast ? 'last' : 'ended'),
    cut: () => void (fate = 'cut'),
  };
  const usual = { commonFields: 'x-a: b\r\n', isHead: false, knowsChunks: true, date: () => 'now' };
  const reply = new HttpReply(line, { ...usual, ...form }, createCallerBudgets(limits).open('127.0.0.1'));
  return { reply, sent, fate: () => fate };
}

const head = (framing: string, status = '200 OK') =>
  `HTTP/1.1 ${status}\r\nx-a: b\r\nDate: now\r\nConnection: keep-alive\r\nKeep-Alive: timeout=75\r\n${framing}\r\n`;

test('the head leaves with the first piece, and the end with the last', () => {
  const { reply, sent, fate } = lineOf();
  reply.begin(200, []);
  assert.deepEqual(sent, []);
  reply.write(Buffer.from('first'));
  reply.write('zweites ü');
  reply.write(Buffer.alloc(0));
  reply.write(Buffer.alloc(20_000, 'y'));
  reply.end('last');
  assert.deepEqual(sent, [
    `${head('Transfer-Encoding: chunked\r\n')}5\r\nfirst\r\n`,
    'a\r\nzweites Ã¼\r\n',
    `4e20\r\n${'y'.repeat(20_000)}\r\n`,
    '4\r\nlast\r\n0\r\n\r\n',
  ]);
  assert.equal(fate(), 'ended');
});

test('an answer that is given at once says how long it is, and one without a body says nothing', () => {
  const whole = lineOf();
  whole.reply.begin(200, []);
  whole.reply.end('whole');
  assert.deepEqual(whole.sent, [`${head('Content-Length: 5\r\n')}whole`]);
  const nothing = lineOf();
  nothing.reply.begin(204, []);
  nothing.reply.end();
  assert.deepEqual(nothing.sent, [head('', '204 No Content')]);
  const headOnly = lineOf({ isHead: true });
  headOnly.reply.begin(200, ['content-length', '5']);
  headOnly.reply.end('whole');
  const announced = head('').replace('Date', 'content-length: 5\r\nDate');
  assert.deepEqual(headOnly.sent, [announced]);
});

test('whoever knows no chunks is told the end by the end of the connection', () => {
  const { reply, sent, fate } = lineOf({ knowsChunks: false });
  reply.begin(200, []);
  reply.write('a');
  reply.end('b');
  assert.match(sent.join(''), /Connection: close\r\n\r\nab$/);
  assert.equal(fate(), 'last');
  const sentAway = lineOf();
  sentAway.reply.begin(503, ['connection', 'close']);
  sentAway.reply.end();
  assert.equal(sentAway.sent.join('').match(/connection: close/gi)?.length, 1);
  assert.equal(sentAway.fate(), 'last');
});

test('an answer of another length than it promised is cut, and the next one is not taken for its rest', () => {
  for (const body of ['short', 'far too long']) {
    const { reply, fate } = lineOf();
    reply.begin(200, ['content-length', '7']);
    reply.end(body);
    assert.equal(fate(), 'cut');
  }
});

test('a header cannot end before its end', () => {
  const { reply, sent } = lineOf();
  for (const value of ['a\r\nb: c', 'a\nb', 'a\0', '€'])
    assert.throws(() => reply.begin(200, ['x-c', value]), TypeError);
  assert.throws(() => reply.announce(['x-c', 'a\rb']), TypeError);
  assert.equal(reply.hasBegun, false);
  assert.deepEqual(sent, []);
});
