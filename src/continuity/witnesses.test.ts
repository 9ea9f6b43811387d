import assert from 'node:assert/strict';
import test from 'node:test';
import { Cancellation } from '#vocabulary/cancellation';
import type { Reply } from '#vocabulary/exchange';
import type { AnswerBeginning } from '#vocabulary/witnessed-answer';
import { createContinuity } from './continuity.ts';
import type { StreamReader } from './kept-stream.ts';
import { createWitnessBook } from './witness-book.ts';
import { createWitnesses } from './witnesses.ts';

const limits = { streamsPerKey: 9, bytesPerKey: 10_000, totalBytes: 10_000 };
const beginning: AnswerBeginning = {
  id: 'a',
  keyId: 'key-1',
  personId: 'ada',
  address: '::1',
  isAddressCertain: true,
  asked: 'responses',
  seconds: 60,
  begunAs: undefined,
  lostGateways: 0,
};
const event = (number: number) => `event: e\ndata: {"type":"e","sequence_number":${number}}\n\n`;

function readerOf(writes: Buffer[]): StreamReader {
  const write = (bytes: Buffer) => writes.push(bytes) > 0;
  const reply = { hasBegun: false, bufferedBytes: 0, begin() {}, write } as unknown as Reply;
  return { reply, cancellation: new Cancellation() };
}

/** What a witness knows after each write of the gateway that it listens to: a kill comes between any two of them. */
function listen(witnesses: ReturnType<typeof createWitnesses>): { known(): number[] } {
  const writes: Buffer[] = [];
  witnesses.join('heir', readerOf(writes), true);
  return {
    known: () =>
      writes.map((_, index) => {
        const page = createWitnessBook({ ...limits, maxBodyBytes: 1000 }).open('writer');
        page.listen().push(Buffer.concat(writes.slice(0, index + 1)));
        const [answer] = page.takeOver();
        assert.ok(answer === undefined || answer.body.length > 0, 'without the request nobody could go on');
        return answer?.frames.length ?? 0;
      }),
  };
}

test('frames that belong together are told in one piece, whenever the witness comes', () => {
  const witnesses = createWitnesses();
  const early = listen(witnesses);
  const tell = witnesses.tell.bind(undefined, beginning, Buffer.from('{}'));
  const answer = { ...beginning, owner: beginning, reader: readerOf([]), tell };
  const reply = createContinuity({ ...limits, longestMs: 60_000 }).open(answer);
  reply.begin(200, ['content-type', 'text/event-stream']);
  reply.write(event(0) + event(1));
  reply.write(': alive\n\n');
  reply.write(event(2) + event(3) + event(4));
  assert.deepEqual(early.known(), [0, 0, 2, 5]);
  assert.deepEqual(listen(witnesses).known(), [0, 5]);
  reply.forget();
  witnesses.stop();
});
