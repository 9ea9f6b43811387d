import assert from 'node:assert/strict';
import test from 'node:test';
import { createWitnessBook } from './witness-book.ts';
import { writeRecord } from './witness-records.ts';

const limits = { streamsPerKey: 2, bytesPerKey: 100, totalBytes: 150, maxBodyBytes: 1000 };
const begin = (id: string, keyId = 'key-1', more: object = {}) => {
  const place = { personId: 'ada', address: '::1', isAddressCertain: true, asked: 'chat/completions' };
  const told = { id, keyId, ...place, seconds: 60, lostGateways: 0, headers: [], ...more };
  return writeRecord('begin', id, Buffer.from(JSON.stringify(told)));
};
const frame = (id: string, text: string) => writeRecord('frame', id, Buffer.from(text));

test('what was told is taken over as it was, however it arrives', () => {
  const book = createWitnessBook(limits);
  const page = book.open('gateway-1');
  const listener = page.listen();
  const records = [
    begin('a'),
    writeRecord('body', 'a', Buffer.from('{"ä":1}')),
    frame('a', 'id: 1\ndata: x\n\n'),
  ];
  for (const byte of Buffer.concat([...records, writeRecord('alive', '-'), writeRecord('end', 'a')]))
    listener.push(Buffer.from([byte]));
  const [answer, ...others] = page.takeOver();
  assert.deepEqual(others, []);
  assert.equal(answer?.personId, 'ada');
  assert.equal(answer.body.toString(), '{"ä":1}');
  assert.equal(Buffer.concat(answer.frames).toString(), 'id: 1\ndata: x\n\n');
  assert.equal(answer.hasEnded, true);
  assert.deepEqual([book.answers, book.bytes], [0, 0], 'and it is in nobody’s way any more');
});

test('nobody is told of more than there is room for, for each key and in total', () => {
  const book = createWitnessBook(limits);
  const page = book.open('gateway-1');
  const listener = page.listen();
  for (const id of ['a', 'b', 'c']) listener.push(begin(id));
  assert.equal(book.answers, 2, 'as many as a key may have');
  listener.push(frame('a', 'x'.repeat(90)));
  listener.push(frame('b', 'x'.repeat(20)));
  assert.equal(book.answers, 1, 'without its room an answer is forgotten, not cut');
  listener.push(Buffer.concat([begin('d', 'key-2'), frame('d', 'x'.repeat(90))]));
  assert.deepEqual([book.answers, book.bytes], [1, 90]);
  page.forget();
  assert.deepEqual([book.answers, book.bytes], [0, 0]);
});

test('a gateway that talks nonsense, too much, or of what is not its own is not believed', () => {
  const book = createWitnessBook(limits);
  const [page, liar] = [book.open('gateway-1'), book.open('gateway-2')];
  const listener = page.listen();
  listener.push(Buffer.concat([begin('a'), frame('a', 'true')]));
  const lies = liar.listen();
  lies.push(Buffer.concat([begin('a', 'key-2'), frame('a', 'false'), writeRecord('forget', 'a')]));
  lies.push(writeRecord('begin', 'e', Buffer.from('{"id":"e"}')));
  lies.push(begin('f', 'key-1', { id: 'a' }));
  assert.deepEqual(liar.takeOver(), []);
  assert.deepEqual(
    page.takeOver().map(({ frames }) => frames.join('')),
    ['true'],
  );
  for (const nonsense of ['GET / HTTP/1.1\n', 'x'.repeat(200), `frame a ${9 * 1024 * 1024}\n`])
    assert.throws(() => liar.listen().push(Buffer.from(nonsense)));
});

test('whoever asks for an answer whose gateway may be dead waits until it is decided, and no longer', async () => {
  const book = createWitnessBook(limits);
  const page = book.open('gateway-1');
  page.listen().push(begin('a'));
  const waiting = book.settled('a', 'ada', 600_000);
  await book.settled('a', 'eve', 600_000);
  await book.settled('b', 'ada', 600_000);
  await book.settled('a', 'ada', 1);
  page.takeOver();
  await waiting;
});

test('a spare goes on only with what its heir cannot, and the heir has the last word', () => {
  const book = createWitnessBook({ ...limits, streamsPerKey: 4 });
  const page = book.open('writer');
  const listener = page.listen();
  const others = { heir: book.open('heir').listen(), stranger: book.open('stranger').listen() };
  for (const id of ['a', 'b', 'c', 'd']) listener.push(begin(id, 'key-1', { heir: 'heir' }));
  assert.deepEqual([book.answers, book.spares], [0, 4]);
  assert.deepEqual(page.takeOver(), [], 'they are the heir’s');
  others.stranger.push(Buffer.concat([begin('a'), writeRecord('forget', 'b')]));
  assert.equal(book.spares, 4, 'nobody else may say anything of them');
  others.heir.push(begin('a', 'key-1', { lostGateways: 1 }));
  others.heir.push(writeRecord('forget', 'b'));
  listener.push(writeRecord('heir', 'c'));
  assert.deepEqual([book.answers, book.spares], [2, 1], 'one comes from its heir now, one is this gateway’s');
  const taken = (heir?: string) => page.takeOver(heir).map(({ id }) => id);
  assert.deepEqual([page.heirs(), taken(), taken('heir'), page.heirs()], [['heir'], ['c'], ['d'], []]);
});
