import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock, systemTimers } from '#vocabulary/clock';
import { silentLogger } from '#vocabulary/logger';
import type { NewsOfAnother } from '#vocabulary/peers';
import { createPeers } from './peers.ts';

const newsOf = (gatewayId: string, ageMs = 10, address = `http://${gatewayId}`): NewsOfAnother => ({
  gatewayId,
  address,
  ageMs,
  topics: { places: gatewayId },
});

test('a gateway that was found dead, or in whose place another one is, is heard no more though its last word is fresh', async () => {
  let told = [newsOf('a'), newsOf('b'), newsOf('c')];
  const peers = createPeers({
    board: { ownId: 'own', exchange: async () => told, withdraw: async () => {} },
    clock: systemClock,
    timers: systemTimers,
    logger: silentLogger,
  });
  let heard = Promise.withResolvers<readonly unknown[]>();
  peers.join({
    name: 'places',
    tell: () => undefined,
    hear: (news) => heard.resolve([...news.values()]),
    lose: () => assert.fail('nobody is lost'),
  });
  const next = () => (heard = Promise.withResolvers()).promise;
  await peers.start();
  try {
    assert.deepEqual(await heard.promise, ['a', 'b', 'c']);
    peers.forget('a');
    assert.deepEqual(await next(), ['b', 'c']);
    assert.deepEqual([...peers.addresses().keys()], ['b', 'c']);
    assert.deepEqual([...peers.lastAddresses().keys()], ['b', 'c']);
    told = [newsOf('a', 300), newsOf('c')];
    assert.deepEqual(await next(), ['c']);
    // Late news are no death: it can still be asked for what it has, and counts no more.
    assert.deepEqual([...peers.addresses().keys()], ['c']);
    assert.deepEqual([...peers.lastAddresses().keys()], ['c', 'b']);
    told = [newsOf('a', 300), newsOf('b', 1500), newsOf('c', 1500), newsOf('heir of b', 10, 'http://b')];
    assert.deepEqual(await next(), ['c', 'heir of b']);
    assert.deepEqual([...peers.lastAddresses().keys()], ['c', 'heir of b']);
    // Whoever has handed its place over and finishes its last answers still tells what it has.
    told = [newsOf('c'), newsOf('successor of c', 20, 'http://c')];
    assert.deepEqual(await next(), ['c', 'successor of c']);
    told = [newsOf('before', 1000, 'http://own')];
    void peers.listensAt('http://own');
    assert.deepEqual(await next(), []);
  } finally {
    await peers.stop();
  }
});

test('one that says itself where it is counts at once; one whose news were late from the beginning can be asked, and counts not', async () => {
  let told = [newsOf('late', 5000), newsOf('slow', 10)];
  let isAway = false;
  const peers = createPeers({
    board: {
      ownId: 'own',
      exchange: async () => (isAway ? Promise.reject(new Error('away')) : told),
      withdraw: async () => {},
    },
    clock: systemClock,
    timers: systemTimers,
    logger: silentLogger,
  });
  const known = () => [...peers.addresses()].map(([id, address]) => `${id} ${address}`);
  const askable = () => [...peers.lastAddresses().keys()];
  const exchanged = () => peers.listensAt('http://own');
  await peers.start();
  try {
    assert.deepEqual(known(), ['slow http://slow']);
    assert.deepEqual(askable(), ['slow', 'late']);
    peers.meet('young', 'http://young');
    peers.meet('nowhere', '');
    assert.deepEqual(known(), ['slow http://slow', 'young http://young']);
    // What it told before it listened says less than it did itself.
    told = [newsOf('young', 10, ''), newsOf('slow', 4000)];
    for (let turn = 0; turn < 2; turn += 1) await exchanged();
    assert.deepEqual(known(), ['young http://young']);
    assert.ok(askable().includes('slow'));
    isAway = true;
    await exchanged();
    assert.deepEqual(known(), ['young http://young']);
    isAway = false;
    peers.forget('young');
    await exchanged();
    peers.meet('young', 'http://young');
    await exchanged();
    assert.deepEqual(known(), []);
    assert.ok(!askable().includes('young'), 'whoever was found dead does not come back');
  } finally {
    await peers.stop();
  }
});
