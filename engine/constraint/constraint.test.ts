import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  choice,
  compileAnyJsonObject,
  compileJsonSchema,
  type Constraint,
  literal,
  sequence,
  UnsupportedSchema,
} from './constraint.ts';

interface Case {
  readonly name: string;
  readonly schema: unknown;
  readonly takes: readonly string[];
  readonly refuses: readonly string[];
}

const weather = {
  type: 'object',
  properties: {
    location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' },
    unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
  },
  required: ['location'],
};

const cases: readonly Case[] = [
  {
    name: 'the weather tool: declared order, optional properties, both ways to space',
    schema: weather,
    takes: [
      '{"location": "Oslo, Norway"}',
      '{"location":"Oslo","unit":"celsius"}',
      '{"location": "\\u00e5", "unit": "fahrenheit"}',
    ],
    refuses: [
      '{}',
      '{"unit": "celsius"}',
      '{"location": "Oslo", "unit": "kelvin"}',
      '{"location": "Oslo", "extra": 1}',
      '{ "location": "x"}',
    ],
  },
  {
    name: 'Optional of Pydantic: anyOf with null',
    schema: {
      properties: { nick: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Nick' } },
      type: 'object',
    },
    takes: ['{"nick": null}', '{"nick": "null"}', '{}'],
    refuses: ['{"nick": 1}', '{"nick": nul}'],
  },
  {
    name: 'nullable of Zod and of OpenAPI',
    schema: {
      type: 'array',
      prefixItems: [{ type: ['string', 'null'] }, { type: 'integer', nullable: true }],
      items: false,
    },
    takes: ['[]', '[null]', '["a", null]', '["a",-7]'],
    refuses: ['["a", 1, 2]', '["a", "b"]', '["a", 1.5]'],
  },
  {
    name: 'enum and const of any JSON',
    schema: { anyOf: [{ enum: ['red', 'redder', 3, null, { a: [1, 'x'] }] }, { const: [] }] },
    takes: ['"red"', '"redder"', '3', 'null', '{"a":[1,"x"]}', '{"a": [1, "x"]}', '[]'],
    refuses: ['"re', '"reddest"', '33', '{"a": [1]}', '{"a":  [1, "x"]}'],
  },
  {
    name: 'references, recursion and definitions',
    schema: {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: {
            value: { type: 'integer' },
            children: { type: 'array', items: { $ref: '#/$defs/node' }, maxItems: 2 },
          },
          required: ['value'],
          additionalProperties: false,
        },
      },
    },
    takes: [
      '{"value": 1}',
      '{"value": 1, "children": [{"value": 2, "children": [{"value":3}]}, {"value":4}]}',
    ],
    refuses: [
      '{"value": 1, "children": [{}]}',
      '{"value": 1, "children": [{"value":1}, {"value":2}, {"value":3}]}',
    ],
  },
  {
    name: 'integer bounds, digit by digit',
    schema: { type: 'integer', minimum: -12, exclusiveMaximum: 305, multipleOf: 3 },
    takes: ['-12', '-3', '0', '9', '30', '303', '297'],
    refuses: ['-0', '-15', '305', '306', '300.0', '01', '1e2', '3000'],
  },
  {
    name: 'decimal bounds and steps',
    schema: { type: 'number', exclusiveMinimum: 0, maximum: 2.5, multipleOf: 0.25 },
    takes: ['0.25', '0.5', '0.50', '2.5', '1', '2.0'],
    refuses: ['0', '0.0', '-0.5', '2.75', '0.3', '.5', '2.', '+1'],
  },
  {
    name: 'string lengths count characters, not bytes or escapes',
    schema: { type: 'string', minLength: 2, maxLength: 3 },
    takes: ['"ab"', '"é😀x"', '"\\ud83d\\ude00\\n"', '"\\"\\\\"'],
    refuses: ['"a"', '"abcd"', '"\\ud83d\\ude00"', '"\\ud83dx"', '"\\udc00a"', '"\n\n"'],
  },
  {
    name: 'look-ahead behind a leading ^ speaks of the whole text',
    schema: {
      type: 'array',
      prefixItems: [
        { type: 'string', pattern: '^(?!@@|x$)(?=.*\\d)[@x\\d]+$' },
        { type: 'string', pattern: '^(?!ab)' },
      ],
      items: false,
    },
    takes: ['["@1x","aab"]', '["x1",""]', '["1@@"]'],
    refuses: ['["@@1"]', '["x"]', '["@x"]', '["1","ab"]', '["1","abc"]'],
  },
  {
    name: 'patterns are searched for unless anchored',
    schema: {
      type: 'array',
      prefixItems: [
        { type: 'string', pattern: '^\\d{3}-[A-Z]+$', maxLength: 6 },
        { type: 'string', pattern: '"b"' },
      ],
    },
    takes: ['["123-AB"]', '["123-A", "a\\"b\\"c"]'],
    refuses: ['["123-ABC"]', '["123-"]', '["123-A", "b"]'],
  },
  {
    name: 'formats',
    schema: {
      type: 'array',
      prefixItems: [
        { type: 'string', format: 'date' },
        { type: 'string', format: 'ipv6' },
        { type: 'string', format: 'uuid' },
      ],
    },
    takes: ['["2024-02-29", "::1"]', '["1999-12-31", "fe80::1:2", "123e4567-e89b-12d3-a456-426614174000"]'],
    refuses: ['["2023-02-29"]', '["2023-13-01"]', '["2023-01-01", "1::2::3"]'],
  },
  {
    name: 'a dictionary, and names that are declared are not free',
    schema: {
      type: 'object',
      properties: { id: { type: 'integer' } },
      additionalProperties: { type: 'string' },
      maxProperties: 2,
    },
    takes: ['{}', '{"id": 1}', '{"id": 1, "idx": "a"}', '{"a": "x", "b": "y"}'],
    refuses: [
      '{"a": 1}',
      '{"id": "x"}',
      '{"i\\u0064": "x"}',
      '{"id": 1, "a": "x", "b": "y"}',
      '{"a": "x", "id": "y"}',
    ],
  },
  {
    name: 'allOf puts properties together',
    schema: {
      allOf: [
        { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
        { properties: { a: { minimum: 5 }, b: { type: 'boolean' } }, required: ['b'] },
      ],
    },
    takes: ['{"a": 5, "b": true}'],
    refuses: ['{"a": 4, "b": true}', '{"a": 5}'],
  },
  {
    name: 'oneOf of tagged objects',
    schema: {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
          required: ['kind', 'radius'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'square' }, side: { type: 'number' } },
          required: ['kind', 'side'],
        },
      ],
    },
    takes: ['{"kind": "circle", "radius": 1.5}', '{"kind": "square", "side": 2}'],
    refuses: ['{"kind": "circle", "side": 2}', '{"radius": 2}'],
  },
  {
    name: 'oneOf leaves out what both sides take',
    schema: { oneOf: [{ type: ['string', 'null'] }, { type: ['integer', 'null'] }] },
    takes: ['"a"', '1'],
    refuses: ['null'],
  },
  {
    name: 'oneOf of objects that overlap: what fits both is left out',
    schema: {
      type: 'object',
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
      oneOf: [{ required: ['id'] }, { required: ['name'] }],
    },
    takes: ['{"id": 1}', '{"name": "x"}'],
    refuses: ['{}', '{"id": 1, "name": "x"}'],
  },
  {
    name: 'not: of texts, numbers, properties and combinations of them',
    schema: {
      type: 'object',
      properties: {
        word: { type: 'string', not: { enum: ['x', 'xy'] } },
        code: { type: 'string', not: { pattern: '^a' } },
        port: { type: 'integer', minimum: 1, not: { enum: [80, 443] } },
        list: { type: 'array', items: { type: 'integer' }, not: { items: { minimum: 3 } } },
      },
      not: {
        anyOf: [{ required: ['word', 'code'] }, { properties: { port: { const: 7 } }, required: ['port'] }],
      },
    },
    takes: ['{"word": "xyz"}', '{"code": "ba"}', '{"word": "", "port": 81}', '{"list": [4, 1, 5]}'],
    refuses: [
      '{"word": "x"}',
      '{"word": "\\u0078"}',
      '{"code": "ab"}',
      '{"word": "a", "code": "b"}',
      '{"port": 443}',
      '{"port": 7}',
      '{"list": [4, 3]}',
      '{"list": []}',
    ],
  },
  {
    name: 'not: numbers that are no multiples, digit by digit',
    schema: {
      type: 'array',
      prefixItems: [
        { type: 'integer', not: { multipleOf: 3 } },
        { oneOf: [{ type: 'integer' }, { type: 'number', maximum: 10 }] },
        { type: 'number', multipleOf: 0.5, not: { type: 'integer' } },
      ],
    },
    takes: ['[1]', '[-100]', '[1, 11]', '[1, 1.5]', '[1, -3.000001]', '[1, 9.25, 7.5]', '[1, 9.0001, -0.5]'],
    refuses: [
      '[0]',
      '[99]',
      '[1, 7]',
      '[1, 7.0]',
      '[1, 10.000000]',
      '[1, 10.5]',
      '[1, 1.5, 7]',
      '[1, 1.5, 7.0]',
    ],
  },
  {
    name: 'not: texts that nobody takes for the format',
    schema: {
      type: 'array',
      prefixItems: [
        { type: 'string', oneOf: [{ format: 'hostname' }, { format: 'ipv4' }, { format: 'ipv6' }] },
        { type: 'string', not: { format: 'email' } },
        { enum: ['a:b', 'ab'], not: { format: 'uri' } },
        { enum: ['a:b', 'ab'], oneOf: [{ format: 'uri' }, { pattern: '^a' }] },
      ],
    },
    takes: ['["example.org"]', '["::1"]', '["h", "me at example.org"]', '["h", "", "ab", "ab"]'],
    refuses: [
      '["1.2.3.4"]',
      '["h", "me@example.org"]',
      '["h", "@"]',
      '["h", "", "a:b"]',
      '["h", "", "ab", "a:b"]',
    ],
  },
  {
    name: 'the same schema twice in a oneOf is satisfied twice',
    schema: {
      type: 'array',
      items: { oneOf: [{ type: 'boolean' }, { enum: ['a', 'b'] }, { type: 'boolean' }, { const: 'b' }] },
      contains: { enum: ['a', 1], oneOf: [{ const: 1 }, { type: 'string' }, { const: 1 }] },
    },
    takes: ['["a", "a"]'],
    refuses: ['["a", true]', '["a", "b"]'],
  },
  {
    name: 'what one exclusion says about a name does not narrow another one to that name',
    schema: {
      type: 'object',
      patternProperties: { '^[a-z]{2,3}$': true },
      additionalProperties: false,
      allOf: [
        { not: { required: ['ref'], properties: { ref: { type: 'string' } } } },
        { not: { patternProperties: { '^\\d$': true }, additionalProperties: false } },
      ],
    },
    takes: ['{"en":1}', '{"ref":1}'],
    refuses: ['{"ref":"a"}', '{"1":1}', '{}'],
  },
  {
    name: 'several schemas with the same pattern for names all count',
    schema: {
      type: 'object',
      allOf: [
        { patternProperties: { '^a': { type: 'integer' } }, additionalProperties: { type: 'boolean' } },
        { patternProperties: { '^a': { maximum: 5 } } },
        { patternProperties: { '^b': { const: true } } },
      ],
    },
    takes: ['{"a": 4, "b": true}'],
    refuses: ['{"a": 4.5}', '{"a": 7}', '{"a": true}', '{"b": false}', '{"b": 1}'],
  },
  {
    name: 'not: some property must have a name or a value, whatever it is called',
    schema: {
      type: 'object',
      properties: {
        codes: {
          type: 'object',
          additionalProperties: false,
          patternProperties: { '^x-': true, '^(\\d{3}|default)$': { type: 'string' } },
          not: { additionalProperties: false, patternProperties: { '^x-': true } },
        },
        named: { type: 'object', not: { propertyNames: { not: { const: 'a' } } } },
        valued: { type: 'object', not: { patternProperties: { '^a': { maximum: 3 } } } },
        other: {
          type: 'object',
          properties: { a: { type: 'boolean' } },
          not: { properties: { a: true }, additionalProperties: { type: 'string' } },
        },
      },
    },
    takes: [
      '{"codes": {"200": "a"}}',
      '{"codes": {"default": "", "404": "b", "x-a": 1}}',
      '{"named": {"a": 1, "b": 2}}',
      '{"valued": {"ab": 4, "b": 1}}',
      '{"other": {"a": true, "b": 1, "c": null}}',
    ],
    refuses: [
      '{"codes": {}}',
      '{"codes": {"x-a": 1}}',
      '{"named": {"b": 1}}',
      '{"valued": {"ab": 2}}',
      '{"valued": {"b": 4}}',
      '{"valued": {"ab": 4, "ab": 2}}',
      '{"other": {"a": true}}',
      '{"other": {"b": ""}}',
    ],
  },
  {
    name: 'not: lists and objects that are named one by one',
    schema: {
      type: 'array',
      items: {
        type: ['object', 'array'],
        properties: { a: { type: 'integer' }, b: { type: 'array', items: { type: 'integer' } } },
        items: { type: 'integer' },
        not: { enum: [{ a: 1 }, { b: [1, 2] }, [1, 2], [], 7] },
      },
    },
    takes: ['[{}, {"a": 2}, {"a": 1, "b": [1, 2]}, {"b": [2, 1]}, [1], [1, 2, 3], [2, 2]]'],
    refuses: ['[{"a": 1}]', '[{"b": [1,2]}]', '[{"b": [1, 2]}]', '[[1, 2]]', '[[]]'],
  },
  {
    name: 'not: a choice of which only one may hold',
    schema: {
      type: 'array',
      items: { type: ['integer', 'string'], not: { oneOf: [{ minimum: 3 }, { maximum: 5 }] } },
    },
    takes: ['[3, 4, 5, "a"]'],
    refuses: ['[2]', '[6]'],
  },
  {
    name: 'not: properties that depend on others',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      not: {
        dependentRequired: { a: ['b'] },
        dependentSchemas: { b: { properties: { b: { minimum: 5 } } } },
      },
    },
    takes: ['{"a": 1}', '{"a": 1, "b": 4}', '{"b": 4}'],
    refuses: ['{}', '{"b": 5}', '{"a": 1, "b": 5}'],
  },
  {
    name: 'a condition on a property that may be missing',
    schema: {
      type: 'object',
      properties: { kind: { type: 'string' }, size: { type: 'integer' } },
      if: { properties: { kind: { const: 'bag' } }, required: ['kind'] },
      else: { required: ['size'] },
    },
    takes: ['{"kind": "bag"}', '{"kind": "box", "size": 1}', '{"size": 1}'],
    refuses: ['{"kind": "box"}', '{}'],
  },
  {
    name: 'properties that depend on others, in all three spellings',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' }, c: { type: 'integer' } },
      dependentRequired: { a: ['b'] },
      dependentSchemas: { b: { properties: { b: { minimum: 5 } } } },
      dependencies: { c: ['a'] },
    },
    takes: ['{}', '{"b": 5}', '{"a": 1, "b": 6}', '{"a": 1, "b": 6, "c": 0}'],
    refuses: ['{"a": 1}', '{"b": 4}', '{"c": 1}', '{"a": 1, "c": 0}'],
  },
  {
    name: 'contains, also with counts',
    schema: {
      type: 'array',
      items: { type: 'integer' },
      contains: { minimum: 10 },
      minItems: 2,
      maxItems: 3,
    },
    takes: ['[10, 1]', '[1, 2, 30]', '[1,11]'],
    refuses: ['[10]', '[1, 2, 3]', '[1, 2, 3, 10]', '[]'],
  },
  {
    name: 'several contains, of which one item may satisfy more than one',
    schema: {
      type: 'array',
      items: { type: 'integer' },
      minItems: 3,
      allOf: [{ contains: { const: 1 } }, { contains: { minimum: 5 } }, { contains: { multipleOf: 4 } }],
    },
    takes: ['[1, 8, 2]', '[2, 2, 2, 1, 2, 5, 2, 4]', '[0,5,1]'],
    refuses: ['[1, 8]', '[1, 5, 2]', '[8, 8, 8]', '[4, 1, 3]'],
  },
  {
    name: 'items that come once',
    schema: {
      type: 'object',
      properties: {
        tags: { type: 'array', items: { type: 'string', maxLength: 3 }, uniqueItems: true, minItems: 1 },
        codes: { type: 'array', items: { type: ['integer', 'null'] }, uniqueItems: true, maxItems: 3 },
        days: { type: 'array', items: { enum: ['mo', 'mon', 1] }, uniqueItems: true },
      },
    },
    takes: [
      '{"tags": ["a", "ab", ""]}',
      '{"tags":["é","e"]}',
      '{"codes": [1, 12, null]}',
      '{"codes": [], "days": ["mon", "mo", 1]}',
    ],
    refuses: [
      '{"tags": []}',
      '{"tags": ["a", "a"]}',
      '{"tags": ["a", "ab", "a"]}',
      '{"tags": ["a", "\\u0061"]}',
      '{"codes": [1, 2, 1]}',
      '{"codes": [1, 2, 3, 4]}',
      '{"days": ["mo" ,1]}',
    ],
  },
  {
    name: 'objects and lists that come once, whatever their spaces and whoever declares them',
    schema: {
      type: 'array',
      uniqueItems: true,
      items: {
        anyOf: [
          { type: 'object', properties: { a: { type: 'boolean' }, b: { type: 'string' } }, required: ['a'] },
          { type: 'object', properties: { b: { type: 'string' }, a: { type: 'boolean' } }, required: ['b'] },
          { enum: [[1, 2], { b: ', ', a: true }] },
        ],
      },
    },
    takes: [
      '[{"a": true}, {"a":false}, {"a":true,"b":""}]',
      '[{"a":true,"b":", "}, {"a":true,"b":","}, {"b":","}]',
      '[[1,2]]',
    ],
    refuses: [
      '[{"a": true}, {"a":true}]',
      '[{"a":true,"b":", "}, {"a": true, "b": ", "}]',
      '[{"a":true,"b":", "}, {"b":", ","a":true}]',
      '[[1,2], [1, 2]]',
    ],
  },
  {
    name: 'decimal numbers and anything that come once, each with one spelling',
    schema: {
      type: 'object',
      properties: {
        sizes: { type: 'array', items: { type: 'number', minimum: -2.5 }, uniqueItems: true },
        halves: { type: 'array', items: { type: 'number', multipleOf: 0.5 }, uniqueItems: true },
        list: { type: 'array', uniqueItems: true },
      },
    },
    takes: [
      '{"sizes": [1.5, 1.25, 1, 0.000001, -2.5, 9007199254740991], "halves": [0.5, 1, -1.5]}',
      '{"list": [1, 1.5, "1", null, [1], [1, [2]], []]}',
    ],
    refuses: [
      '{"sizes": [1.5, 1.5]}',
      '{"sizes": [1.5, 1.50]}',
      '{"sizes": [1, 1.0]}',
      '{"sizes": [-0]}',
      '{"sizes": [-2.6]}',
      '{"sizes": [0.10000000000000001]}',
      '{"halves": [0.25]}',
      '{"list": [1, 1]}',
      '{"list": [[1, 2], [1,2]]}',
      '{"list": ["a", "\\u0061"]}',
    ],
  },
  {
    name: 'objects that declare nothing come once, with one property at most',
    schema: {
      type: 'array',
      items: { type: 'object', additionalProperties: { type: 'integer' } },
      uniqueItems: true,
    },
    takes: ['[{},{"a":1}, {"a": 2},{"b":1}]'],
    refuses: ['[{},{}]', '[{"a":1},{"a": 1}]', '[{"a":1},{"\\u0061":1}]', '[{"a":1,"b":1}]', '[{"a":""}]'],
  },
  {
    name: 'objects that come once, with patterns, formats and lengths in their texts',
    schema: {
      type: 'array',
      uniqueItems: true,
      items: {
        type: 'object',
        properties: {
          code: { type: 'string', pattern: '^[ab]$' },
          to: { type: 'string', format: 'email' },
          note: { type: 'string', maxLength: 2 },
        },
        required: ['code'],
      },
    },
    takes: [
      '[{"code": "a"}, {"code": "b"}, {"code": "a", "to": "x@y.de"}, {"code": "a", "to": "x@y.dev"}]',
      '[{"code":"a","note":"é"},{"code":"a","note":""},{"code":"a","note":"éé"}]',
    ],
    refuses: [
      '[{"code": "a"}, {"code": "b"}, {"code":"a"}]',
      '[{"code":"a","to":"x@y.de"},{"code":"a", "to":"x@y.de"}]',
      '[{"code":"c"}]',
      '[{"code":"a","note":"abc"}]',
    ],
  },
  {
    name: 'schemas with an address of their own, and anchors',
    schema: {
      $id: 'https://example.org/root.json',
      type: 'array',
      prefixItems: [{ $ref: 'part.json' }, { $ref: '#named' }, { $ref: 'part.json#/$defs/size' }],
      $defs: {
        part: { $id: 'part.json', $ref: '#/$defs/size', $defs: { size: { type: 'integer' } } },
        size: { type: 'string' },
        other: { $anchor: 'named', type: 'boolean' },
      },
    },
    takes: ['[1, true, 2]'],
    refuses: ['["a"]', '[1, 2]', '[1, true, "a"]'],
  },
  {
    name: 'formats nobody defined limit nothing',
    schema: {
      type: 'array',
      prefixItems: [
        { type: 'string', format: 'iban' },
        { type: 'string', format: 'regex' },
      ],
    },
    takes: ['["?"]', '["?", "^[a-z]+(x|y)*$"]'],
    refuses: ['[1]', '["?", "("]', '["?", "a{2,1}"]'],
  },
];

describe('schemas', () => {
  for (const { name, schema, takes, refuses } of cases) {
    test(name, () => {
      const constraint = compileJsonSchema(schema);
      for (const text of takes) assert.ok(isTaken(constraint, text), `should take ${text}`);
      for (const text of refuses) assert.ok(!isTaken(constraint, text), `should not take ${text}`);
    });
  }
});

test('where a schema is silent about other properties they are known to be unasked, from the comma on', () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, note: { type: 'string' } },
    required: ['name'],
  };
  const after = (text: string, asked: unknown = schema) =>
    compileJsonSchema(asked, { closesOpenObjects: false }).start().acceptBytes(Buffer.from(text))?.isUnasked;
  for (const text of ['{"name": "a"', '{"name": "a",', '{"name": "a", "no', '{"name": "a", "not": 1'])
    assert.equal(after(text), false, text);
  for (const text of ['{"name": "a", "x', '{"name": "a", "note": "b",', '{"name": "a", "x": {"y": [']) {
    assert.equal(after(text), true, text);
    assert.equal(after(text, { ...schema, additionalProperties: true }), false, text);
  }
  assert.equal(compileJsonSchema(schema).hasUnasked, false);
});

test('a set that has used up all its values can only end', () => {
  const flag = { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] };
  const set = compileJsonSchema({ type: 'array', items: flag, uniqueItems: true }).start();
  const after = (text: string) => set.acceptBytes(Buffer.from(text));
  assert.equal(after('[{"on": true}, {"on": t'), undefined);
  assert.equal(after('[{"on": true}, {"on":false},'), undefined);
  assert.equal(after('[{"on": true}, {"on": false}]')?.mustEnd, true);
});

const refusals: readonly (readonly [keyword: string, path: string, schema: unknown])[] = [
  ['uniqueItems', '', { type: 'array', items: { type: 'string' }, uniqueItems: true, minItems: 2 }],
  [
    'uniqueItems',
    '/properties/tags',
    { type: 'object', properties: { tags: { type: 'array', uniqueItems: true, minItems: 2 } } },
  ],
  ['not', '/items', { type: 'array', items: { type: 'string', not: { format: 'uri-reference' } } }],
  ['not', '', { type: 'string', pattern: '^[a-z]:[a-z]$', not: { format: 'uri' } }],
  ['not', '', { type: 'integer', not: { anyOf: [{ multipleOf: 4 }, { multipleOf: 6 }] } }],
  ['minContains', '', { type: 'array', contains: true, minContains: 2 }],
  ['unevaluatedProperties', '', { type: 'object', unevaluatedProperties: false }],
  ['pattern', '', { type: 'string', pattern: '(?=a)b' }],
  ['pattern', '', { type: 'string', pattern: '^(?!a)b|c' }],
  ['pattern', '', { type: 'string', pattern: '(a)\\1' }],
  ['pattern', '', { type: 'string', pattern: '[' }],
  ['$ref', '', { $ref: 'https://example.com/schema' }],
  ['$ref', '', { $ref: '#/$defs/missing' }],
  ['$ref', '', { anyOf: [{ $ref: '#' }, { type: 'null' }] }],
  ['$ref', '', { type: 'string', not: { $ref: '#' } }],
  ['type', '/properties/a~1b', { type: 'object', properties: { 'a/b': { type: 'strnig' } } }],
  ['minimum', '', { type: 'integer', minimum: 1e20 }],
  ['minProperties', '', { type: 'object', minProperties: 2 }],
  ['', '', { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] }],
  ['', '', { type: 'string', minLength: 3, maxLength: 2 }],
  ['', '', 'string'],
  ['', '', null],
];

describe('what cannot be honoured exactly is refused by name', () => {
  for (const [keyword, path, schema] of refusals) {
    test(JSON.stringify(schema), () => {
      assert.throws(
        () => compileJsonSchema(schema),
        (error) => error instanceof UnsupportedSchema && error.keyword === keyword && error.path === path,
      );
    });
  }
});

test('annotations and keywords of other types are no reason to refuse', () => {
  const schema = {
    $schema: 'x',
    $id: 'y',
    $comment: 'z',
    title: 'T',
    examples: [1],
    'x-own': {},
    strict: true,
    type: 'string',
    uniqueItems: true,
    readOnly: true,
  };
  assert.ok(isTaken(compileJsonSchema(schema), '"text"'));
});

test('tool calls are put together from texts and schemas', () => {
  const call = (name: string, parameters: unknown) =>
    sequence([literal(`{"name": "${name}", "arguments": `), compileJsonSchema(parameters), literal('}')]);
  const calls = choice([
    call('get_current_weather', weather),
    call('get_time', { type: 'object', properties: {} }),
  ]);
  assert.ok(isTaken(calls, '{"name": "get_current_weather", "arguments": {"location": "Paris"}}'));
  assert.ok(isTaken(calls, '{"name": "get_time", "arguments": {}}'));
  assert.ok(!isTaken(calls, '{"name": "get_time", "arguments": {"location": "Paris"}}'));
  assert.ok(calls.start().acceptBytes(Buffer.from('{"name": "get_time", "arguments": {}}'))?.mustEnd);
});

test('any JSON object: nested, closed in time, nothing but JSON', () => {
  const any = compileAnyJsonObject({ maxDepth: 3 });
  assert.ok(isTaken(any, '{"a": [1, {"b": null}], "c": "é\\n"}'));
  for (const text of ['[]', '{"a"}', '{"a": [[[1]]]}', '{,}', '{"a": 1,}', '{"a": \t1}', '{"a": tru}'])
    assert.ok(!isTaken(any, text), text);
});

test('a set whose values are used up ends, and no generation sees what another has used', () => {
  const set = compileJsonSchema({ type: 'array', items: { enum: ['mo', 'mon', 1] }, uniqueItems: true });
  const two = set.start().acceptBytes(Buffer.from('["mo", "mon"'));
  assert.equal(two?.acceptBytes(Buffer.from(', "')), undefined);
  assert.equal(two?.acceptBytes(Buffer.from(', 1,')), undefined);
  assert.ok(two?.acceptBytes(Buffer.from(', 1]'))?.mustEnd);
  assert.ok(two?.acceptBytes(Buffer.from(']'))?.mustEnd);
  assert.ok(isTaken(set, '["mo"]'));
});

test('positions are persistent: one can be continued twice', () => {
  const start = compileJsonSchema({ enum: ['ab', 'ac'] })
    .start()
    .acceptBytes(Buffer.from('"a'));
  assert.ok(start?.acceptBytes(Buffer.from('b"'))?.mustEnd);
  assert.ok(start?.acceptBytes(Buffer.from('c"'))?.mustEnd);
  assert.equal(start?.acceptBytes(Buffer.from('d"')), undefined);
  assert.equal(start?.minimumBytesToEnd, 2);
});

function isTaken(constraint: Constraint, text: string): boolean {
  return constraint.start().acceptBytes(new TextEncoder().encode(text))?.isComplete === true;
}
