import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { randomSchemas } from '#harness/random-schema';
import { createValidator } from '#harness/schema-validator';
import { compileJsonSchema, type Constraint, type ConstraintState } from './constraint.ts';
import { UnsupportedSchema } from '../schema/unsupported-schema.ts';

const walksPerSchema = 6;

test('400 random schemas give texts that a standard validator accepts, or are refused by name', () => {
  let compiled = 0;
  fc.assert(
    fc.property(randomSchemas(), fc.infiniteStream(fc.nat(0xffff)), (schema, randomness) => {
      const constraint = compileOrRefuse(schema);
      if (constraint === undefined) return;
      compiled += 1;
      const isValid = createValidator(schema);
      for (let walk = 0; walk < walksPerSchema; walk += 1) {
        const text = writeAtRandom(constraint, randomness);
        assert.ok(isValid(JSON.parse(text)), `not valid: ${text}`);
      }
    }),
    { numRuns: 400, seed: 20_261 },
  );
  assert.ok(compiled > 200, `only ${compiled} of 400 schemas were supported`);
});

function compileOrRefuse(schema: unknown): Constraint | undefined {
  try {
    return compileJsonSchema(schema);
  } catch (error) {
    assert.ok(error instanceof UnsupportedSchema, String(error));
    return undefined;
  }
}

/** Any allowed byte for a while, then the shortest way home. Fails if home cannot be reached. */
function writeAtRandom(constraint: Constraint, randomness: Iterator<number>): string {
  const draw = (limit: number): number => Number(randomness.next().value) % limit;
  const written: number[] = [];
  const wanderBytes = draw(120);
  let state = constraint.start();
  while (!(state.mustEnd || (state.isComplete && draw(3) === 0))) {
    const isWandering = written.length < wanderBytes;
    if (!isWandering && state.isComplete) break;
    const all = followers(state);
    const shortest = Math.min(...all.map(({ next }) => next.minimumBytesToEnd));
    const likely = all.filter(({ byte, next }) =>
      isWandering ? byte < 0x80 || draw(8) === 0 : next.minimumBytesToEnd === shortest,
    );
    const pool = likely.length > 0 ? likely : all;
    const chosen = pool[draw(pool.length)];
    assert.ok(chosen !== undefined, `stuck after ${Buffer.from(written).toString()}`);
    if (!isWandering) assert.equal(chosen.next.minimumBytesToEnd, state.minimumBytesToEnd - 1);
    written.push(chosen.byte);
    state = chosen.next;
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(written));
}

function followers(state: ConstraintState): { byte: number; next: ConstraintState }[] {
  const found: { byte: number; next: ConstraintState }[] = [];
  for (let byte = 0; byte < 256; byte += 1) {
    const next = state.acceptBytes(Uint8Array.of(byte));
    if (next !== undefined) found.push({ byte, next });
  }
  return found;
}
