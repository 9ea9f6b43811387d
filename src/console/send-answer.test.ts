import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cancellation } from '#vocabulary/cancellation';
import type { Exchange } from '#vocabulary/exchange';
import { sendFile } from './send-answer.ts';

test('a file that a slow reader takes in many pieces leaves nothing behind', async () => {
  let listeners = 0;
  let mostListeners = 0;
  class CountedCancellation extends Cancellation {
    override onCancel(listener: Parameters<Cancellation['onCancel']>[0]): () => void {
      listeners += 1;
      mostListeners = Math.max(mostListeners, listeners);
      const forget = super.onCancel(listener);
      return () => {
        listeners -= 1;
        forget();
      };
    }
  }
  const written: string[] = [];
  const exchange = {
    cancellation: new CountedCancellation(),
    reply: {
      hasBegun: true,
      write: (piece: string) => written.push(piece) < 0,
      onDrain: (listener: () => void) => setImmediate(listener),
      end: () => {},
    },
  } as unknown as Exchange;
  async function* pieces() {
    for (let piece = 0; piece < 50; piece += 1) yield `piece ${piece}`;
  }
  await sendFile(exchange, { content: pieces(), contentType: 'text/plain', fileName: 'all' }, []);
  assert.equal(written.length, 50);
  assert.deepEqual([mostListeners, listeners], [1, 0]);
});
