import fc from 'fast-check';

type Schema = boolean | Record<string, unknown>;

/**
 * JSON Schemas of every kind the service may meet: nested, contradictory, recursive, with keywords that are
 * refused now and then. All are valid schemas by the 2020-12 meta-schema.
 */
export function randomSchemas(): fc.Arbitrary<Schema> {
  return fc
    .record({ root: schemaOfDepth(3), definition: schemaOfDepth(2) })
    .map(({ root, definition }) =>
      typeof root === 'boolean' ? root : { ...root, $defs: { thing: definition } },
    );
}

function schemaOfDepth(depth: number): fc.Arbitrary<Schema> {
  const leaves = [
    { weight: 4, arbitrary: textSchema() },
    { weight: 4, arbitrary: numberSchema() },
    {
      weight: 3,
      arbitrary: fc.constantFrom<Schema>({ type: 'boolean' }, { type: 'null' }, { type: ['string', 'null'] }),
    },
    { weight: 3, arbitrary: listedSchema() },
    { weight: 1, arbitrary: fc.constantFrom<Schema>(true, false, {}, { type: 'object' }, { type: 'array' }) },
    { weight: 1, arbitrary: fc.constantFrom<Schema>({ $ref: '#/$defs/thing' }, { $ref: '#' }) },
  ];
  if (depth === 0) return fc.oneof(...leaves);
  const inner = schemaOfDepth(depth - 1);
  return fc.oneof(
    ...leaves,
    { weight: 8, arbitrary: objectSchema(inner) },
    { weight: 5, arbitrary: arraySchema(inner) },
    { weight: 5, arbitrary: combinedSchema(inner) },
  );
}

const names = ['a', 'b', 'name', 'nächste', 'quo"te', 'x-1', 'constructor'];
const patterns = [
  '^[a-z]+$',
  'b',
  '^\\d{2,4}(-\\d+)?$',
  '^(foo|bar|"q")$',
  '^[^a]*$',
  '^\\S{1,5}\\s?$',
  'é|😀',
];
const formats = ['date', 'time', 'date-time', 'duration', 'uuid', 'ipv4', 'ipv6', 'hostname', 'email', 'uri'];

function textSchema(): fc.Arbitrary<Schema> {
  return fc
    .record(
      {
        type: fc.constant('string'),
        minLength: fc.nat(6),
        maxLength: fc.integer({ min: 3, max: 40 }),
        pattern: fc.constantFrom(...patterns),
        format: fc.constantFrom(...formats),
        title: fc.constant('A text'),
      },
      { requiredKeys: ['type'] },
    )
    .map(({ pattern, format, ...rest }) => {
      if (pattern !== undefined) return { ...rest, pattern };
      return format === undefined || rest.minLength !== undefined ? rest : { type: rest.type, format };
    });
}

function numberSchema(): fc.Arbitrary<Schema> {
  const bound = fc.oneof(
    fc.integer({ min: 0, max: 300 }),
    fc.double({ min: 0, max: 5, noNaN: true }).map(plusZero),
  );
  const lower = bound.map((value) => plusZero(5 - value));
  return fc.record(
    {
      type: fc.constantFrom('integer', 'number', ['integer', 'null']),
      minimum: lower,
      maximum: bound,
      exclusiveMinimum: lower,
      exclusiveMaximum: bound,
      multipleOf: fc.constantFrom(1, 2, 3, 7, 10, 0.5, 0.25, 0.1, 0.01),
    },
    { requiredKeys: ['type'] },
  );
}

function plusZero(value: number): number {
  return value === 0 ? 0 : value;
}

function listedSchema(): fc.Arbitrary<Schema> {
  const value = fc.oneof(
    fc.constantFrom<unknown>(null, true, 0, -1.5, 1e21, 'red', 'grün', 'a "quote"\n', '', [1, { a: 2 }], {
      b: [],
      a: null,
    }),
    fc.string({ unit: 'grapheme', maxLength: 5 }),
    fc.integer(),
  );
  return fc.oneof(
    fc
      .uniqueArray(value, { minLength: 1, maxLength: 5, selector: (one) => JSON.stringify(one) })
      .map((list) => ({ enum: list })),
    value.map((one) => ({ const: one })),
    fc.constantFrom({ type: 'string', enum: ['a', 1, 'b'] }, { enum: ['x', 'yy', 'zzz'], maxLength: 2 }),
  );
}

function objectSchema(inner: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc
    .record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom(...names), inner, { maxKeys: 4, noNullPrototype: true }),
        required: fc.uniqueArray(fc.constantFrom(...names.slice(0, 3)), { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), inner),
        patternProperties: fc.dictionary(fc.constantFrom(...patterns), inner, {
          minKeys: 1,
          maxKeys: 2,
          noNullPrototype: true,
        }),
        propertyNames: fc.constantFrom({ pattern: '^[a-z]' }, { maxLength: 4 }, { enum: ['a', 'b', 'c'] }),
        minProperties: fc.nat(2),
        maxProperties: fc.integer({ min: 1, max: 4 }),
        rare: fc.oneof(
          fc.constant({ unevaluatedProperties: false }),
          fc.constant({ dependentRequired: { a: ['b'] } }),
          inner.map((schema) => ({ dependentSchemas: { name: schema } })),
        ),
      },
      { requiredKeys: ['type', 'properties'] },
    )
    .chain(({ patternProperties, propertyNames, rare, ...usual }) =>
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(usual) },
        { weight: 1, arbitrary: fc.constant({ ...usual, ...(patternProperties && { patternProperties }) }) },
        { weight: 1, arbitrary: fc.constant({ ...usual, ...(propertyNames && { propertyNames }) }) },
        { weight: 1, arbitrary: fc.constant({ ...usual, ...rare }) },
      ),
    );
}

function arraySchema(inner: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.record(
    {
      type: fc.constant('array'),
      items: inner,
      prefixItems: fc.array(inner, { minLength: 1, maxLength: 3 }),
      minItems: fc.nat(3),
      maxItems: fc.integer({ min: 2, max: 6 }),
      uniqueItems: fc.constantFrom(false, false, false, true),
      contains: inner,
      minContains: fc.constantFrom(0, 1, 2),
    },
    { requiredKeys: ['type', 'items'] },
  );
}

function combinedSchema(inner: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ anyOf: list }) },
    { weight: 4, arbitrary: fc.record({ oneOf: list }) },
    { weight: 3, arbitrary: fc.record({ allOf: list }) },
    { weight: 2, arbitrary: fc.record({ allOf: list, anyOf: list }) },
    {
      weight: 2,
      arbitrary: fc.record({ anyOf: list, type: fc.constantFrom('object', 'string', ['integer', 'array']) }),
    },
    { weight: 2, arbitrary: fc.record({ not: inner, type: fc.constantFrom('string', 'integer', 'object') }) },
    { weight: 1, arbitrary: fc.record({ not: fc.record({ anyOf: list }) }) },
    { weight: 1, arbitrary: fc.record({ not: fc.record({ allOf: list }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        oneOf: fc.tuple(listedSchema(), fc.oneof(textSchema(), numberSchema(), inner)),
      }),
    },
    { weight: 1, arbitrary: fc.tuple(inner, inner, inner).map(zipConditional) },
  );
}

/** `then` as a key of a literal would look like a promise. */
function zipConditional(parts: [Schema, Schema, Schema]): Schema {
  return Object.fromEntries(['if', 'then', 'else'].map((keyword, index) => [keyword, parts[index]]));
}
