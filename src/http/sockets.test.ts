import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { createCallerBudgets } from './caller-budgets.ts';
import { createSockets } from './sockets.ts';

function socketFrom(remoteAddress: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
}

test('one address has its share of the connections, and all addresses of a /64 half of them', async () => {
  const isTrustedProxy = (address: string) => address === '2001:db8::5';
  const sockets = createSockets({ maxPerAddress: 3, maxConnections: 20, isTrustedProxy });
  const admitted = (address: string) => sockets.admit(socketFrom(address));
  for (const address of ['10.0.0.1', '2001:db8:0:1::1'])
    assert.deepEqual(
      [1, 2, 3, 4].map(() => admitted(address)),
      [true, true, true, false],
    );
  const neighbours = Array.from({ length: 12 }, (_, index) => admitted(`2001:db8:0:1::1:${index}`));
  assert.equal(neighbours.filter(Boolean).length, 7, 'ten of twenty with the three before');
  assert.ok(admitted('2001:db8:0:2::1') && admitted('10.0.0.2'), 'others have the rest');
  assert.ok([1, 2, 3, 4].every(() => admitted('2001:db8::5')));
  assert.equal(sockets.refused, 7);

  const left = socketFrom('2001:db8:0:3::1');
  sockets.admit(left);
  const size = sockets.size;
  left.destroy();
  await once(left, 'close');
  assert.equal(sockets.size, size - 1);
});

test('one address has its share of the memory, all addresses of a /64 that of two, and nothing is left of those who go', () => {
  const isTrustedProxy = () => false;
  const limits = { totalBytes: 400, callerBytes: 100, maxRequestsPerAddress: 9, isTrustedProxy };
  const budgets = createCallerBudgets(limits);
  const take = (address: string) => {
    const budget = budgets.open(address);
    budget.takeForRequest(100);
    return budget;
  };
  const neighbours = [1, 2].map((index) => take(`2001:db8:0:1::${index}`));
  assert.throws(() => take('2001:db8:0:1::3'), /share of the memory/);
  assert.throws(() => budgets.open('2001:db8:0:1::3').requireRoom(), /share of the memory/);
  const other = take('2001:db8:0:2::1');
  for (const each of [other, ...neighbours]) each[Symbol.dispose]();
  assert.equal(budgets.heldBytes, 0);
  take('2001:db8:0:1::3');
});
