import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeardReply } from '#harness/heard-reply';
import { Cancellation } from '#vocabulary/cancellation';
import { Refusal } from '#vocabulary/refusal';
import { createContinuity } from './continuity.ts';

/** What another gateway asks for is decided here alone, by the person whom it names. */
test('an answer is given to its owner, and to nobody else as if it were not there', () => {
  const continuity = createContinuity({
    longestMs: 60_000,
    streamsPerKey: 5,
    bytesPerKey: 1000,
    totalBytes: 1000,
  });
  const readerOf = () => ({ reply: new HeardReply(), cancellation: new Cancellation() });
  const owner = { keyId: 'key', personId: 'ada' };
  const stream = continuity.open({
    id: 'one',
    owner,
    seconds: 30,
    reader: readerOf(),
    tell: () => undefined,
  });
  stream.begin(200, ['content-type', 'text/event-stream']);
  stream.write('data: {"secret":1}\n\n');
  const ask = (id: string, personId: string) => {
    const reader = readerOf();
    try {
      continuity.resume(id, personId, 0, reader);
    } catch (refusal) {
      assert.ok(refusal instanceof Refusal);
      assert.equal(reader.reply.hasBegun, false);
      return [refusal.code, refusal.message];
    }
    return reader.reply.text;
  };
  for (const personId of ['eve', '', 'key']) assert.deepEqual(ask('one', personId), ask('none', 'ada'));
  assert.match(String(ask('one', 'ada')), /secret/);
  stream.forget();
});
