import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWellFormed, keyLength, mintSecret } from './key-format.ts';

test('every minted secret is well formed, distinct and recognisable by its prefix', () => {
  const seen = new Set<string>();
  for (let count = 0; count < 2_000; count += 1) {
    const { secret, prefix, digest } = mintSecret();
    assert.match(secret, /^gh_[0-9A-Za-z]{49}$/);
    assert.equal(secret.length, keyLength);
    assert.ok(isWellFormed(secret));
    assert.ok(secret.startsWith(prefix) && prefix.length === 9);
    assert.match(digest, /^[0-9a-f]{64}$/);
    seen.add(secret);
  }
  assert.equal(seen.size, 2_000);
});

test('one wrong letter or two swapped ones are noticed', () => {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split('');
  fc.assert(
    fc.property(fc.nat(keyLength - 1), fc.constantFrom(...letters), (position, letter) => {
      const { secret } = mintSecret();
      const mistyped = secret.slice(0, position) + letter + secret.slice(position + 1);
      assert.equal(isWellFormed(mistyped), mistyped === secret);
      if (position === 0) return;
      const swapped =
        secret.slice(0, position - 1) +
        secret.charAt(position) +
        secret.charAt(position - 1) +
        secret.slice(position + 1);
      assert.equal(isWellFormed(swapped), swapped === secret);
    }),
  );
});

test('arbitrary text is never well formed and never throws', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => !isWellFormed(text)));
});

test('letters are drawn evenly', () => {
  const counts = new Map<string, number>();
  for (let count = 0; count < 5_000; count += 1) {
    for (const letter of mintSecret().secret.slice(3, 46)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  assert.equal(counts.size, 62);
  const expected = (5_000 * 43) / 62;
  // Eight standard deviations: a bias of one letter in eight would be far outside.
  for (const count of counts.values()) assert.ok(Math.abs(count - expected) < 8 * Math.sqrt(expected));
});
