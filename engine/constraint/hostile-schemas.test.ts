import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedTokens, compileJsonSchema, createTokenTable, UnsupportedSchema } from './constraint.ts';

/** Schemas made to be slow, huge or endless. Each is either refused with a reason or works. */
const hostile: Readonly<Record<string, () => unknown>> = {
  'ten thousand levels': () => nested(10_000, (inner) => ({ type: 'array', items: inner })),
  'forty levels of not': () => nested(40, (inner) => ({ not: inner })),
  'conditions within conditions': () =>
    nested(12, (inner) => ({ allOf: [{ if: inner }, { anyOf: [inner, inner] }] })),
  'two-way choices forty deep': () =>
    nested(40, (inner) => ({ oneOf: [tagged('a', { a: inner }), tagged('b', { b: inner })] })),
  'an object that holds itself': () => {
    const schema: Record<string, unknown> = { type: 'array' };
    return Object.assign(schema, { prefixItems: [schema, schema] });
  },
  'more values than are read': () => ({ enum: count(25_000) }),
  'five thousand listed texts': () => ({ enum: count(5_000).map((index) => `value ${index}`) }),
  'a thousand optional properties': () => ({
    type: 'object',
    properties: members(1_000, () => ({ type: 'integer' })),
  }),
  'a thousand properties and free ones': () => ({
    type: 'object',
    properties: members(1_000, () => ({ type: 'integer' })),
    additionalProperties: { type: 'string' },
  }),
  'counted properties': () => ({
    type: 'object',
    maxProperties: 90,
    properties: members(150, () => ({ type: 'null' })),
  }),
  'alternatives that multiply': () => ({
    allOf: count(30).map(() => ({
      anyOf: count(10).map((index) => ({ properties: { [`p${index}`]: {} } })),
    })),
  }),
  'two hundred tagged objects': () => ({
    oneOf: count(200).map((index) => tagged(`k${index}`, { value: true })),
  }),
  'two hundred overlapping objects': () => ({
    oneOf: count(200).map((index) => ({ properties: { [`p${index}`]: true } })),
  }),
  'a pattern with exponentially many states': () => ({ type: 'string', pattern: '(a|b)*a(a|b){20}' }),
  'nested counts': () => ({ type: 'string', pattern: '((a{1,100}){1,100}){1,100}' }),
  'a pattern that makes others backtrack': () => ({ type: 'string', pattern: '^(a+)+$|(x+x+)+y' }),
  'many slow patterns': () => ({
    type: 'object',
    properties: members(199, (index) => ({ type: 'string', pattern: `(a|b)*a(a|b){9}${index}` })),
  }),
  'names that match many patterns': () => ({
    type: 'object',
    patternProperties: Object.fromEntries(count(16).map((index) => [`x.*${index}.*y`, true])),
  }),
  'definitions that combine endlessly': () => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      count(30).map((index) => [
        `d${index}`,
        {
          type: 'object',
          properties: members(30, (other) => ({
            allOf: [
              { $ref: `#/$defs/d${(index * 7 + other) % 30}` },
              { $ref: `#/$defs/d${(index * 3 + other * 5) % 30}` },
            ],
          })),
        },
      ]),
    ),
  }),
  'steps smaller than any digit': () => ({ type: 'number', multipleOf: Number.MIN_VALUE }),
  'a large step far away': () => ({ type: 'integer', multipleOf: 999_983, minimum: 1e12 }),
  'numbers beyond all digits': () => ({ type: 'number', minimum: 1e308 }),
  'a billion items': () => ({ type: 'array', minItems: 1e9 }),
  'up to a billion characters': () => ({ type: 'string', maxLength: 1e9 }),
  'sixty thousand characters at least': () => ({ type: 'string', minLength: 60_000 }),
  'a long pattern with a long length': () => ({ type: 'string', format: 'uri', maxLength: 100_000 }),
  'a set of a billion texts': () => ({
    type: 'array',
    items: { type: 'string' },
    uniqueItems: true,
    maxItems: 1e9,
  }),
  'a long list that it must not be': () => ({ type: 'array', not: { const: count(3_000) } }),
  'a large object that it must not be': () => ({
    type: 'object',
    not: { const: members(40, () => members(40, count)) },
  }),
  'a choice of choices of which not one may hold': () => ({
    not: {
      oneOf: count(6).map((one) => ({
        oneOf: count(6).map((other) => ({ required: [`a${one}`, `b${other}`] })),
      })),
    },
  }),
  'a prototype as a property': () =>
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"}},"required":["__proto__"]}'),
};

for (const [name, schema] of Object.entries(hostile)) {
  test(name, { timeout: 60_000 }, () => {
    const table = createTokenTable(Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)));
    try {
      const state = compileJsonSchema(schema()).start();
      assert.ok(Number.isFinite(state.minimumBytesToEnd));
      assert.ok(allowedTokens(state, table).count > 0);
    } catch (error) {
      assert.ok(error instanceof UnsupportedSchema, String(error));
    }
  });
}

function count(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

function members(length: number, schemaOf: (index: number) => unknown): Record<string, unknown> {
  return Object.fromEntries(count(length).map((index) => [`p${index}`, schemaOf(index)]));
}

function tagged(kind: string, properties: Record<string, unknown>): unknown {
  return { type: 'object', properties: { kind: { const: kind }, ...properties }, required: ['kind'] };
}

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let schema: unknown = { type: 'string' };
  for (let level = 0; level < depth; level += 1) schema = wrap(schema);
  return schema;
}
