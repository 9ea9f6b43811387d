import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWitnessBook } from '#continuity';
import { waitUntil } from '#harness/wait-until';
import { silentLogger } from '#vocabulary/logger';
import type { PeerCalls } from '#vocabulary/peers';
import { witnessOthers } from './witness-others.ts';

test('a gateway has started when it hears those who are there and is heard by them, and waits for none that has gone', async () => {
  const line = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const living = new Set(['busy', 'dead']);
  const late = ['late and alive', 'late and dead'];
  const listenedTo = new Set<string>();
  let isHeard = false;
  async function* silence(): AsyncGenerator<Uint8Array> {
    await end.promise;
    yield Buffer.alloc(0);
  }
  const answer = () => ({ status: 200, isSigned: true, header: () => undefined, body: silence() });
  const calls: PeerCalls = {
    gateways: () => [...living, ...late],
    living: () => [...living],
    async ask(gatewayId, { query }) {
      assert.equal(query['at'], 'http://own');
      if (gatewayId.endsWith('dead')) return undefined;
      if (gatewayId === 'busy') {
        asked.resolve();
        await line.promise;
      }
      listenedTo.add(gatewayId);
      return answer();
    },
    // Whose news are not fresh is taken for dead where there was a line.
    isGone: async (gatewayId) => gatewayId === 'dead' || !living.has(gatewayId),
  };
  const limits = { streamsPerKey: 1, bytesPerKey: 1000, totalBytes: 1000, maxBodyBytes: 1000 };
  const witnessing = witnessOthers({
    calls,
    ownId: () => 'own',
    address: () => 'http://own',
    neighbours: () => [...living],
    isHeardBy: () => isHeard,
    book: createWitnessBook(limits),
    onDeath(gatewayId) {
      assert.equal(gatewayId, 'dead', 'of late news alone nobody is dead');
      living.delete(gatewayId);
    },
    goOn: () => assert.fail('nobody had anything'),
    logger: silentLogger,
  });
  let hasStarted = false;
  const started = witnessing.start().then(() => (hasStarted = true));
  const isNotYetStarted = async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve, 25));
    assert.equal(hasStarted, false);
  };
  await asked.promise;
  await isNotYetStarted();
  line.resolve();
  await isNotYetStarted();
  isHeard = true;
  await started;
  assert.deepEqual([...living], ['busy']);
  assert.deepEqual([...listenedTo].toSorted(), ['busy', 'late and alive']);
  witnessing.stop();
  end.resolve();
});

test('what an heir that is dead too had to go on with is gone on with here, whether it was met or died young; what lives keeps its own', async () => {
  const living = new Set(['writer', 'heir', 'living']);
  const ends = new Map([...living].map((id) => [id, Promise.withResolvers<void>()]));
  const told = {
    keyId: 'key',
    personId: 'ada',
    address: '::1',
    asked: 'responses',
    seconds: 60,
    headers: [],
  };
  const begin = (id: string, heir?: string) => {
    const beginning = JSON.stringify({ ...told, id, lostGateways: 0, heir });
    return `begin ${id} ${beginning.length}\n${beginning}`;
  };
  async function* spoken(gatewayId: string): AsyncGenerator<Uint8Array> {
    if (gatewayId === 'writer')
      yield Buffer.from(begin('own') + begin('a', 'heir') + begin('b', 'young') + begin('c', 'living'));
    await ends.get(gatewayId)?.promise;
  }
  const calls: PeerCalls = {
    gateways: () => [...living],
    living: () => [...living],
    ask: async (id) => ({ status: 200, isSigned: true, header: () => undefined, body: spoken(id) }),
    isGone: async (gatewayId) => !living.has(gatewayId),
  };
  const book = createWitnessBook({
    streamsPerKey: 9,
    bytesPerKey: 1000,
    totalBytes: 1000,
    maxBodyBytes: 1000,
  });
  const taken: string[] = [];
  const witnessing = witnessOthers({
    calls,
    ownId: () => 'own',
    address: () => '',
    neighbours: () => [...living],
    isHeardBy: () => true,
    book,
    onDeath: () => {},
    goOn: ({ id }) => void taken.push(id),
    logger: silentLogger,
  });
  await witnessing.start();
  await waitUntil('all is told', () => book.answers === 1 && book.spares === 3);
  for (const id of ['writer', 'heir']) {
    living.delete(id);
    ends.get(id)?.resolve();
  }
  await waitUntil('the dead are outlived', () => taken.length === 3);
  assert.deepEqual(taken, ['own', 'a', 'b']);
  assert.equal(book.spares, 1, 'its heir lives');
  witnessing.stop();
  ends.get('living')?.resolve();
});
