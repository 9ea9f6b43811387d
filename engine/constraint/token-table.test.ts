import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { randomSchemas } from '#harness/random-schema';
import {
  allowedTokens,
  compileAnyJsonObject,
  compileJsonSchema,
  type ConstraintState,
  createTokenTable,
  tokenTest,
  UnsupportedSchema,
} from './constraint.ts';

/** Every byte, words, digits, punctuation that crosses borders, cut characters, doubles, and forbidden ids. */
function vocabulary(): (Uint8Array | undefined)[] {
  const encoder = new TextEncoder();
  const texts = [
    'the',
    ' the',
    ' a',
    'ab',
    'name',
    '", "',
    '": ',
    '":',
    '"}',
    '}]',
    '{"',
    '[{"',
    ', ',
    ' "',
    '12',
    '007',
    '-1',
    '.5',
    'null',
    'true',
    'é',
    '日本',
    '😀',
    '\\n',
    '\\u00',
    '\\"',
    '\n\n',
    'x"',
    'red',
    'foo',
    ' the end of it',
    'a\\x',
    '  ',
    'the',
  ];
  const tokens: (Uint8Array | undefined)[] = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  for (const text of texts) tokens.push(encoder.encode(text));
  const cut = encoder.encode('日😀');
  return [...tokens, cut.subarray(0, 2), cut.subarray(1, 4), cut.subarray(2, 7), undefined, new Uint8Array()];
}

function assertMaskIsExact(
  state: ConstraintState,
  tokens: readonly (Uint8Array | undefined)[],
  table: ReturnType<typeof createTokenTable>,
) {
  // Token by token, then by a mask of the same state, and at once by the mask when it is met again.
  const tests = [tokenTest(state, table), tokenTest(state, table)];
  const allowed = allowedTokens(state, table);
  const listed = new Set<number>();
  allowed.forEach((id) => listed.add(id));
  assert.equal(listed.size, allowed.count);
  for (const [id, bytes] of tokens.entries()) {
    const isAllowed = bytes !== undefined && bytes.length > 0 && state.acceptBytes(bytes) !== undefined;
    assert.equal(allowed.has(id), isAllowed, `token ${id} ${Buffer.from(bytes ?? []).toString()}`);
    assert.equal(listed.has(id), isAllowed);
    for (const isTaken of tests) assert.equal(isTaken(id), isAllowed);
  }
}

test('the mask of any state is what each token alone would say', () => {
  const tokens = vocabulary();
  const table = createTokenTable(tokens);
  fc.assert(
    fc.property(randomSchemas(), fc.infiniteStream(fc.nat(0xffff)), (schema, randomness) => {
      let state: ConstraintState | undefined;
      try {
        state = compileJsonSchema(schema).start();
      } catch (error) {
        if (error instanceof UnsupportedSchema) return;
        throw error;
      }
      for (let step = 0; step < 25 && state !== undefined && !state.mustEnd; step += 1) {
        assertMaskIsExact(state, tokens, table);
        const ids: number[] = [];
        allowedTokens(state, table).forEach((id) => ids.push(id));
        state = state.acceptBytes(
          tokens[ids[Number(randomness.next().value) % ids.length] ?? 0] ?? new Uint8Array(),
        );
      }
    }),
    { numRuns: 150, seed: 7 },
  );
});

test('long counted texts: the mask is exact near the end and shared far from it', () => {
  const tokens = vocabulary();
  const table = createTokenTable(tokens);
  let state = compileJsonSchema({ type: 'string', minLength: 40, maxLength: 60 })
    .start()
    .acceptBytes(Buffer.from('"'));
  for (let count = 0; count <= 60; count += 1) {
    assert.ok(state !== undefined);
    assertMaskIsExact(state, tokens, table);
    state = state.acceptBytes(Buffer.from('x'));
  }
  assert.equal(state, undefined);
  const long = compileJsonSchema({ type: 'string', maxLength: 5000 })
    .start()
    .acceptBytes(Buffer.from('"abc'));
  const later = long?.acceptBytes(Buffer.from('de'));
  assert.ok(long !== undefined && later !== undefined);
  assert.equal(allowedTokens(long, table), allowedTokens(later, table));
});

test('lists without repetition, also one in another: the mask is exact wherever something was used', () => {
  const tokens = [...vocabulary(), ...['"},{"', '"], "', 'a","a', 'b"]}, '].map((text) => Buffer.from(text))];
  const table = createTokenTable(tokens);
  const tag = { anyOf: [{ type: 'string', pattern: '^[ab]{1,2}$' }, { const: 'name' }] };
  const tags = { type: 'array', items: tag, uniqueItems: true };
  const item = { type: 'object', properties: { tags, to: { type: 'string', format: 'email' } } };
  let state: ConstraintState | undefined = compileJsonSchema({
    anyOf: [
      { type: 'array', items: item, uniqueItems: true },
      { type: 'array', items: tag, uniqueItems: true, maxItems: 2 },
    ],
  }).start();
  const text =
    '[{"tags":["a","ab","name"]},{"tags": ["a"], "to":"a@b.de"}, {"tags":["a"],"to":"a@b.dev"}, {}]';
  for (const byte of Buffer.from(text)) {
    assertMaskIsExact(state, tokens, table);
    state = state.acceptBytes(Uint8Array.of(byte));
    assert.ok(state !== undefined);
  }
  assert.ok(state.mustEnd);
});

test('many different states do not grow without end, and old positions stay valid', () => {
  const tokens = vocabulary();
  const table = createTokenTable(tokens);
  const early = compileAnyJsonObject({ maxDepth: 2_000 }).start();
  let state = early;
  for (let depth = 0; depth < 1_500; depth += 1) {
    const next = state.acceptBytes(Buffer.from(`{"k${depth % 7}": `));
    assert.ok(next !== undefined);
    state = next;
    if (depth % 100 === 0) assertMaskIsExact(state, tokens, table);
  }
  assertMaskIsExact(early, tokens, table);
  assert.equal(state.acceptBytes(Buffer.from(`1${'}'.repeat(1_500)}`))?.mustEnd, true);
});
