import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWitnessBook } from '#continuity';
import { silentLogger } from '#vocabulary/logger';
import type { PeerAnswer, PeerCalls } from '#vocabulary/peers';
import { witnessOthers } from './witness-others.ts';

test('a gateway has started when it listens to those who are there, and waits for none that has gone', async () => {
  const line = Promise.withResolvers<PeerAnswer>();
  const asked = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const living = new Set(['busy', 'dead']);
  const calls: PeerCalls = {
    gateways: () => [...living],
    living: () => [...living],
    async ask(gatewayId) {
      if (gatewayId === 'dead') return undefined;
      asked.resolve();
      return await line.promise;
    },
    isGone: async (gatewayId) => gatewayId === 'dead',
  };
  const limits = { streamsPerKey: 1, bytesPerKey: 1000, totalBytes: 1000, maxBodyBytes: 1000 };
  const witnessing = witnessOthers({
    calls,
    ownId: () => 'own',
    book: createWitnessBook(limits),
    onDeath: (gatewayId) => void living.delete(gatewayId),
    goOn: () => assert.fail('nobody had anything'),
    logger: silentLogger,
  });
  let hasStarted = false;
  const started = witnessing.start().then(() => (hasStarted = true));
  await asked.promise;
  await new Promise(setImmediate);
  assert.equal(hasStarted, false);
  async function* silence(): AsyncGenerator<Uint8Array> {
    await end.promise;
    yield Buffer.alloc(0);
  }
  line.resolve({ status: 200, isSigned: true, header: () => undefined, body: silence() });
  await started;
  assert.deepEqual([...living], ['busy']);
  witnessing.stop();
  end.resolve();
});
