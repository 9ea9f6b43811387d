import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalAddress, canonicalNetwork, createNetworkMatcher } from '#vocabulary/address';

/** The judge: addresses as plain numbers, written independently of any library. */
const v4 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
const v6 = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  // Long runs of zeros, where the short spellings live.
  fc
    .tuple(fc.nat(0xffff), fc.nat(7), fc.nat(0xffff))
    .map(([high, at, low]) => (BigInt(high) << BigInt(at * 16)) | BigInt(low)),
);
const isMapped = (number: bigint) => number >> 32n === 0xffffn;

function writeV4(number: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join('.');
}

function groups(number: bigint): string[] {
  return Array.from({ length: 8 }, (_, index) =>
    ((number >> BigInt((7 - index) * 16)) & 0xffffn).toString(16),
  );
}

/** One of the many spellings of an IPv6 address. */
const v6Spelling = fc.record({
  padded: fc.boolean(),
  upper: fc.boolean(),
  short: fc.boolean(),
  dotted: fc.boolean(),
  zone: fc.constantFrom('', '%eth0', '%1'),
});

function writeV6(
  number: bigint,
  how: { padded: boolean; upper: boolean; short: boolean; dotted: boolean; zone: string },
): string {
  let parts = groups(number).map((group) => (how.padded ? group.padStart(4, '0') : group));
  if (how.dotted) parts = [...parts.slice(0, 6), writeV4(number & 0xffffffffn)];
  let text = parts.join(':');
  if (how.short) {
    const run = /(?:^|:)0{1,4}(?::0{1,4})+(?=:|$)/.exec(text)?.[0];
    if (run !== undefined)
      text = text
        .replace(run, ':')
        .replace(/^:(?!:)/, '::')
        .replace(/:$/, '::')
        .replace(/:{3}/, '::');
  }
  return (how.upper ? text.toUpperCase() : text) + how.zone;
}

test('every spelling of an address has one canonical form, and IPv4 hidden in IPv6 comes out', () => {
  fc.assert(
    fc.property(v6, v6Spelling, (number, how) => {
      const plain = { padded: false, upper: false, short: false, dotted: false, zone: '' };
      const canonical = canonicalAddress(writeV6(number, how));
      assert.equal(canonical, canonicalAddress(writeV6(number, plain)), writeV6(number, how));
      if (isMapped(number)) assert.equal(canonical, writeV4(number & 0xffffffffn));
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(v4, v6Spelling, (number, how) => {
      assert.equal(canonicalAddress(writeV4(number)), writeV4(number));
      assert.equal(canonicalAddress(writeV6((0xffffn << 32n) | number, how)), writeV4(number));
    }),
  );
});

test('what is not a strict address is none', () => {
  for (const text of [
    '127.1',
    '0177.0.0.1',
    '2130706433',
    '0x7f.0.0.1',
    '0x7f000001',
    '127.0.0.1.',
    ' 127.0.0.1',
    '127.0.0.1 ',
    '127.0.0.01',
    '',
    'localhost',
    '::ffff:0177.0.0.1',
    '::1/128',
    '1.2.3',
    '１２７.0.0.1',
  ]) {
    assert.equal(canonicalAddress(text), undefined, text);
  }
});

test('a network holds exactly the addresses whose leading bits it shares', () => {
  const family = fc.constantFrom({ bits: 32, isV4: true }, { bits: 128, isV4: false });
  fc.assert(
    fc.property(
      family,
      fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
      fc.nat(128),
      fc.nat(128),
      fc.nat(),
      (kind, seed, prefixSeed, flipSeed, noise) => {
        const number = kind.isV4 ? seed & 0xffffffffn : seed;
        const prefix = prefixSeed % (kind.bits + 1);
        fc.pre(kind.isV4 || !isMapped((number >> BigInt(128 - prefix)) << BigInt(128 - prefix)));
        const write = kind.isV4 ? writeV4 : (n: bigint) => groups(n).join(':');
        const match = createNetworkMatcher([{ cidr: canonicalNetwork(`${write(number)}/${prefix}`)! }]);
        // Flip one bit and add noise below it: near misses, not random strangers.
        const flipped = flipSeed % kind.bits;
        const other = number ^ (1n << BigInt(flipped)) ^ (BigInt(noise) & ((1n << BigInt(flipped)) - 1n));
        fc.pre(kind.isV4 || !isMapped(other));
        const shift = BigInt(kind.bits - prefix);
        assert.equal(match(write(other)) !== undefined, other >> shift === number >> shift);
        assert.ok(match(write(number)) !== undefined);
      },
    ),
    { numRuns: 500 },
  );
});

test('an IPv4 rule never lets an IPv6 stranger in, nor the other way round; the narrowest rule wins', () => {
  const match = createNetworkMatcher([
    { cidr: '0.0.0.0/0', name: 'all four' },
    { cidr: '10.1.0.0/16', name: 'lab' },
    { cidr: '10.1.2.0/24', name: 'room' },
  ]);
  assert.equal(match('10.1.2.3')?.name, 'room');
  assert.equal(match('::ffff:10.1.2.3')?.name, 'room');
  assert.equal(match('::ffff:a01:203')?.name, 'room');
  assert.equal(match('10.1.9.3')?.name, 'lab');
  assert.equal(match('::a01:203'), undefined);
  assert.equal(match('fe80::1%eth0'), undefined);
  assert.equal(match('unknown'), undefined);
  assert.equal(createNetworkMatcher([{ cidr: '::/0' }])('10.1.2.3'), undefined);
});
