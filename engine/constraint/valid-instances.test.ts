import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createValidator } from '#harness/schema-validator';
import { compileJsonSchema } from './constraint.ts';

/** A value first, then a schema that allows it: nothing valid may be locked out. */
interface Sample {
  readonly value: unknown;
  readonly schema: Record<string, unknown>;
}

test('valid values in declared order are accepted, compact and spaced', () => {
  fc.assert(
    fc.property(sampleOfDepth(2), ({ value, schema }) => {
      assert.ok(createValidator(schema)(value), 'the sample itself is wrong');
      const constraint = compileJsonSchema(schema);
      for (const text of [JSON.stringify(value), spaced(value)]) {
        assert.ok(
          constraint.start().acceptBytes(new TextEncoder().encode(text))?.isComplete,
          `should accept ${text}`,
        );
      }
    }),
    { numRuns: 400, seed: 11 },
  );
});

function sampleOfDepth(depth: number): fc.Arbitrary<Sample> {
  const scalars = fc.oneof(integerSample(), decimalSample(), textSample(), patternSample(), listedSample());
  if (depth === 0) return scalars;
  const inner = sampleOfDepth(depth - 1);
  return fc.oneof(scalars, objectSample(inner), arraySample(inner), wrappedSample(inner));
}

function integerSample(): fc.Arbitrary<Sample> {
  const value = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.maxSafeInteger());
  const slack = fc.option(fc.nat(5_000), { nil: undefined });
  return fc.tuple(value, slack, slack, fc.boolean()).map(([number, below, above, isExclusive]) => ({
    value: number,
    schema: {
      type: 'integer',
      ...(below !== undefined && {
        [isExclusive ? 'exclusiveMinimum' : 'minimum']: number - below - (isExclusive ? 1 : 0),
      }),
      ...(above !== undefined && { maximum: number + above }),
      ...(number % 6 === 0 && { multipleOf: 6 }),
    },
  }));
}

function decimalSample(): fc.Arbitrary<Sample> {
  const value = fc
    .double({ min: -1e6, max: 1e6, noNaN: true })
    .filter((number) => /^-?\d+(\.\d{1,16})?$/.test(String(number)) && !Object.is(number, -0));
  return fc.oneof(
    value.map((number) => ({ value: number, schema: { type: 'number' } })),
    value.map((number) => ({ value: number, schema: { minimum: number, type: ['number', 'null'] } })),
    value.map((number) => ({
      value: number,
      schema: { maximum: number, exclusiveMinimum: number - 1, type: 'number' },
    })),
    fc
      .integer({ min: -1e6, max: 1e6 })
      .map((units) => ({ value: units / 100, schema: { type: 'number', multipleOf: 0.01 } })),
  );
}

function textSample(): fc.Arbitrary<Sample> {
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  return fc.tuple(text, fc.nat(3), fc.option(fc.nat(100), { nil: undefined })).map(([value, less, more]) => {
    const length = Array.from(value).length;
    const limits = {
      minLength: Math.max(0, length - less),
      ...(more !== undefined && { maxLength: length + more }),
    };
    return { value, schema: { type: 'string', ...limits } };
  });
}

function patternSample(): fc.Arbitrary<Sample> {
  const samples = [
    ['2024-02-29T23:59:59.5+02:00', { format: 'date-time' }],
    ['12:00:00Z', { format: 'time' }],
    ['P1Y2M3DT4H5M6S', { format: 'duration' }],
    ['2001:db8::8a2e:370:7334', { format: 'ipv6' }],
    ['192.168.0.255', { format: 'ipv4' }],
    ['first.last+tag@sub.example.org', { format: 'email' }],
    ['https://example.org:8080/a%20b?q=1#top', { format: 'uri' }],
    ['xn--bcher-kva.example', { format: 'hostname' }],
    ['line\nbreak', { pattern: 'e\\nb' }],
    ['Größe "9"', { pattern: '^\\w.*"\\d"$', maxLength: 9 }],
    ['aaaa', { pattern: '^(?:aa)+$', minLength: 3 }],
    ['😀', { pattern: '^[\\u{1F600}-\\u{1F64F}]$' }],
  ] as const;
  return fc
    .constantFrom(...samples)
    .map(([value, schema]) => ({ value, schema: { type: 'string', ...schema } }));
}

function listedSample(): fc.Arbitrary<Sample> {
  const value = fc.jsonValue({ maxDepth: 2 }).filter((json) => !JSON.stringify(json).includes('__proto__'));
  return fc.oneof(
    value.map((json) => ({ value: json, schema: { const: json } })),
    fc
      .tuple(value, fc.array(value, { maxLength: 4 }))
      .map(([json, others]) => ({ value: json, schema: { enum: [...others, json] } })),
    fc.constantFrom(null, true, false).map((one) => ({ value: one, schema: { type: ['boolean', 'null'] } })),
  );
}

function objectSample(inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  const member = fc.record({
    name: fc.string({ maxLength: 4 }),
    sample: inner,
    isWritten: fc.boolean(),
    isRequired: fc.boolean(),
  });
  const members = fc.uniqueArray(member, { maxLength: 5, selector: ({ name }) => name });
  return fc.tuple(members, fc.constantFrom('closed', 'open', 'silent')).map(([all, kind]) => {
    const safe = all.filter(({ name }) => name !== '__proto__' && !/^\d/.test(name));
    const written = safe.filter(({ isWritten }) => isWritten);
    const extra = kind === 'open' ? [['undeclared name', 7] as const] : [];
    return {
      value: Object.fromEntries([
        ...written.map(({ name, sample }) => [name, sample.value] as const),
        ...extra,
      ]),
      schema: {
        type: 'object',
        properties: Object.fromEntries(safe.map(({ name, sample }) => [name, sample.schema])),
        required: written.filter(({ isRequired }) => isRequired).map(({ name }) => name),
        ...(kind !== 'silent' && { additionalProperties: kind === 'open' ? { type: 'integer' } : false }),
        ...(written.length > 0 && { minProperties: 1 }),
        maxProperties: written.length + extra.length,
      },
    };
  });
}

function arraySample(inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc
    .tuple(fc.array(inner, { maxLength: 4 }), fc.boolean(), fc.nat(3))
    .map(([items, isTuple, slack]) => {
      const schemas = items.map(({ schema }) => schema);
      const shape = isTuple ? { prefixItems: schemas, items: false } : { items: { anyOf: schemas } };
      return {
        value: items.map(({ value }) => value),
        schema: {
          type: 'array',
          ...(schemas.length > 0 && shape),
          minItems: Math.max(0, items.length - slack),
          maxItems: items.length + slack,
        },
      };
    });
}

function wrappedSample(inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  const wrap = fc.constantFrom<(schema: Record<string, unknown>) => Record<string, unknown>>(
    (schema) => ({ anyOf: [{ type: 'null' }, schema] }),
    (schema) => ({ allOf: [schema, { description: 'no more than that' }, true] }),
    (schema) => ({ oneOf: [schema] }),
    (schema) => ({ ...schema, title: 'Titled', $comment: 'as it was' }),
  );
  return fc.tuple(inner, wrap).map(([{ value, schema }, around]) => ({ value, schema: around(schema) }));
}

/** As Python's json.dumps writes it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`);
  return `{${members.join(', ')}}`;
}
