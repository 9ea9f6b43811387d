import assert from 'node:assert/strict';
import test from 'node:test';
import { type ForwardedHeader, trueAddress } from './true-address.ts';

const trusted = new Set(['10.0.0.1', '10.0.0.2']);
const from = (peer: string, headers: Record<string, string>, agreed: ForwardedHeader = 'X-Forwarded-For') =>
  trueAddress(peer, headers, agreed, (address) => trusted.has(address));

test('forwarding headers of a stranger count for nothing', () => {
  assert.equal(from('203.0.113.9', { 'x-forwarded-for': '127.0.0.1' }), '203.0.113.9');
  assert.equal(from('203.0.113.9', { forwarded: 'for=127.0.0.1' }), '203.0.113.9');
});

test('the list is read from the right, through trusted proxies only', () => {
  assert.equal(from('10.0.0.1', { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' }), '203.0.113.9');
  assert.equal(from('10.0.0.1', { 'x-forwarded-for': '127.0.0.1, 203.0.113.9, 10.0.0.2' }), '203.0.113.9');
  assert.equal(from('10.0.0.1', { 'x-forwarded-for': '10.0.0.2' }), '10.0.0.2');
});

test('one spelling for mapped, bracketed and zoned addresses; anything else is nobody', () => {
  assert.equal(from('10.0.0.1', { 'x-forwarded-for': '::ffff:203.0.113.9' }), '203.0.113.9');
  assert.equal(from('10.0.0.1', { 'x-forwarded-for': '203.0.113.9:4711' }), '203.0.113.9');
  assert.equal(
    from('10.0.0.1', { forwarded: 'for="[2001:DB8::1]:80";proto=https' }, 'Forwarded'),
    '2001:db8::1',
  );
  assert.equal(from('10.0.0.1', { 'x-forwarded-for': 'fe80::1%eth0' }), 'fe80::1');
  for (const odd of ['0177.0.0.1', '2130706433', '0x7f.1', 'localhost', '127.0.0.1, unknown', '']) {
    assert.equal(from('10.0.0.1', { 'x-forwarded-for': odd }), 'unknown', odd);
  }
  assert.equal(from('10.0.0.1', {}), '10.0.0.1');
});

test('only the header that was agreed upon is read, and its absence is no proof of a caller', () => {
  const both = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=127.0.0.1' };
  assert.equal(from('10.0.0.1', both), '203.0.113.9');
  assert.equal(from('10.0.0.1', both, 'Forwarded'), '127.0.0.1');
  assert.equal(from('10.0.0.1', { forwarded: 'for=127.0.0.1' }), 'unknown');
  assert.equal(from('10.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 'Forwarded'), 'unknown');
  assert.equal(from('10.0.0.1', { 'x-real-ip': '127.0.0.1' }), 'unknown');
});
