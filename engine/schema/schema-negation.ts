import { escapePointer } from './schema-addresses.ts';
import { isObject } from '../json-object.ts';
import {
  memberOf,
  type NodeContent,
  objectOf,
  type SchemaDocument,
  type SchemaNode,
  type SchemaObject,
} from './schema-document.ts';
import type { Exclusion, Option } from './schema-alternatives.ts';
import { type JsonType, listKeyword, namesUnder, stringListKeyword, typesOf } from './schema-keywords.ts';
import { dependenciesOf, listedSchemas, schemasForProperty, schemaUnder } from './schema-parts.ts';
import type { Certainty } from './text-rules.ts';
import type { ShapeKind } from './typed-shapes.ts';
import { madeUp } from './unsupported-schema.ts';
import type { TextAutomaton } from '../patterns/text-language.ts';

/** Ways not to satisfy a schema: each of them is enough. */
export interface Negation {
  readonly options: readonly Option[];
  /** Ways by a property that the schema does not declare. */
  readonly undeclared: readonly Option[];
  /** Ways for which only those look who find nothing by the first: they are many. */
  readonly further: readonly Option[];
  /** Kinds of values for which there are further ways, which cannot be said. */
  readonly incompleteFor: ReadonlySet<ShapeKind>;
  /** Ways that are enough for some and not for others: nothing is written by them. */
  readonly doubtful: readonly Option[];
}

export interface NegationParts {
  readonly document: SchemaDocument;
  /** All texts that a pattern does not match. */
  readonly textsWithout: (pattern: string, node: SchemaNode) => TextAutomaton;
  /** All texts but those that are surely or perhaps of a format; undefined when that leaves none. */
  readonly textsWithoutFormat: (
    format: string,
    certainty: Certainty,
    node: SchemaNode,
  ) => TextAutomaton | undefined;
  readonly textsOtherThan: (texts: readonly string[]) => TextAutomaton;
  readonly matches: (pattern: string, name: string, node: SchemaNode) => boolean;
  /** Whether somebody might take a name for one that satisfies the schema. */
  readonly mayBeNamed: (name: string, names: SchemaNode) => boolean;
}

/** A value fails a schema when it fails one of its keywords. `names` are the properties that an object may have. */
export function negationOf(
  { node, keyword, path }: Exclusion,
  names: readonly string[],
  parts: NegationParts,
): Negation {
  const { document } = parts;
  const schema = objectOf(node);
  const options: Option[] = [];
  const undeclared: Option[] = [];
  const further: Option[] = [];
  const doubtful: Option[] = [];
  const incompleteFor = new Set<ShapeKind>();
  const made = (name: string, contentOf: () => NodeContent): SchemaNode =>
    document.made(`${node.path}${madeUp}${name}`, contentOf);
  const excluding = (...nodes: readonly SchemaNode[]): readonly Exclusion[] =>
    nodes.map((one) => ({ node: one, keyword, path }));
  const says = (
    name: string,
    rules: SchemaObject,
    unspokenOf: () => Pick<SchemaNode, 'texts' | 'notMultipleOf' | 'someProperty'> = () => ({}),
    list = options,
  ): void => {
    list.push({ include: [made(name, () => ({ schema: rules, ...unspokenOf() }))], exclude: [] });
  };

  if (node.schema === false) options.push({ include: [], exclude: [] });
  negateValues();
  negateLimits();
  negateMembers();
  negateCombinations();
  for (const [name, kind] of unspeakable) if (schema[name] !== undefined) incompleteFor.add(kind);
  return { options, undeclared, further, incompleteFor, doubtful };

  function negateValues(): void {
    const types = typesOf(node);
    if (types !== undefined) {
      const others = allTypes.filter(
        (type) => !types.has(type) && !(type === 'number' && types.has('integer')),
      );
      if (types.has('integer') && !types.has('number'))
        says('integer', { type: 'number' }, () => ({ notMultipleOf: 1 }));
      if (others.length > 0) says('type', { type: others });
    }
    const listed = [...('const' in schema ? [[schema['const']]] : []), listKeyword(node, 'enum') ?? []];
    for (const [index, values] of listed.entries())
      if (values.length > 0) negateListed(values, String(index));
  }

  function negateListed(values: readonly unknown[], name: string): void {
    const texts = values.filter((value) => typeof value === 'string');
    says(`${name}:texts`, { type: 'string' }, () => ({ texts: parts.textsOtherThan(texts) }));
    const numbers = values.filter((value) => typeof value === 'number').toSorted((one, other) => one - other);
    for (let index = 0; index <= numbers.length; index += 1) {
      const [above, below] = [numbers[index - 1], numbers[index]];
      says(`${name}:numbers${index}`, {
        type: 'number',
        ...(above !== undefined && { exclusiveMinimum: above }),
        ...(below !== undefined && { exclusiveMaximum: below }),
      });
    }
    const scalars = [null, true, false].filter((value) => !values.includes(value));
    if (scalars.length > 0) says(`${name}:scalars`, { enum: scalars });
    const lists = values.filter((value) => Array.isArray(value));
    const objects = values.filter(isObject);
    if (lists.length === 0) says(`${name}:array`, { type: 'array' });
    if (objects.length === 0) says(`${name}:object`, { type: 'object' });
    const [list] = lists;
    const [object] = objects;
    if (lists.length + objects.length > 1) negateEach([...lists, ...objects], name);
    else if (list !== undefined) negateList(list, name);
    else if (object !== undefined) negateObject(object, name);
  }

  /** Several lists and objects: none of them. */
  function negateEach(values: readonly unknown[], name: string): void {
    const nodes = values.map((value, index) =>
      made(`${name}:value${index}`, () => ({ schema: { const: value } })),
    );
    const types = made(`${name}:values`, () => ({ schema: { type: ['array', 'object'] } }));
    options.push({ include: [types], exclude: excluding(...nodes) });
  }

  /** Another length, or another item somewhere. */
  function negateList(values: readonly unknown[], name: string): void {
    if (values.length > 0) says(`${name}:shorter`, { type: 'array', maxItems: values.length - 1 });
    says(`${name}:longer`, { type: 'array', minItems: values.length + 1 });
    if (values.length > maxDiffering) incompleteFor.add('array');
    for (const [index, value] of values.slice(0, maxDiffering).entries())
      says(`${name}:item${index}`, {
        type: 'array',
        minItems: index + 1,
        prefixItems: [...Array<boolean>(index).fill(true), { not: { const: value } }],
      });
  }

  /** A property is missing or another one, or there are more. */
  function negateObject(value: Readonly<Record<string, unknown>>, name: string): void {
    const required = Object.keys(value);
    if (required.length > maxDiffering) incompleteFor.add('object');
    for (const [property, held] of Object.entries(value).slice(0, maxDiffering)) {
      says(`${name}:without/${escapePointer(property)}`, {
        type: 'object',
        properties: { [property]: false },
      });
      says(`${name}:other/${escapePointer(property)}`, {
        type: 'object',
        required: [property],
        properties: { [property]: { not: { const: held } } },
      });
    }
    says(`${name}:more`, { type: 'object', required, minProperties: required.length + 1 });
  }

  function negateLimits(): void {
    for (const [name, type, opposite, step] of limits) {
      const limit = schema[name];
      if (typeof limit !== 'number') continue;
      const bound = limit + step;
      if (bound >= 0 || type === 'number') says(name, { type, [opposite]: bound });
    }
    const pattern = schema['pattern'];
    if (typeof pattern === 'string')
      says('pattern', { type: 'string' }, () => ({ texts: parts.textsWithout(pattern, node) }));
    const { format, multipleOf } = schema;
    if (typeof format === 'string') {
      const [texts, others] = (['perhaps', 'surely'] as const).map((certainty) =>
        parts.textsWithoutFormat(format, certainty, node),
      );
      if (texts !== undefined) says('format', { type: 'string' }, () => ({ texts }));
      if (others !== undefined) says('format?', { type: 'string' }, () => ({ texts: others }), doubtful);
    }
    if (typeof multipleOf === 'number' && multipleOf > 0)
      says('multipleOf', { type: 'number' }, () => ({ notMultipleOf: multipleOf }));
  }

  function negateMembers(): void {
    const required = stringListKeyword(node, 'required');
    const lacks = (name: string): void =>
      says(`required/${escapePointer(name)}`, { type: 'object', properties: { [name]: false } });
    if (!document.isOneResource) {
      for (const name of required) lacks(name);
      incompleteFor.add('object').add('array');
      return;
    }
    const declared = new Set([...required, ...namesUnder(node, 'properties')]);
    for (const name of declared.union(new Set(names))) {
      const matches = (pattern: string) => parts.matches(pattern, name, node);
      const isRequired = required.includes(name);
      const schemas = schemasForProperty(document, node, name, matches);
      if (isRequired && schemas.length === 0) lacks(name);
      // To lack what is required and to have it otherwise are one way: half as many to combine.
      for (const [index, part] of schemas.entries()) {
        const rules = { type: 'object', properties: { [name]: { not: part.schema } } };
        says(
          `properties/${index}/${escapePointer(name)}`,
          isRequired ? rules : { ...rules, required: [name] },
          undefined,
          declared.has(name) ? options : undeclared,
        );
      }
    }
    negateNames();
    const { items } = schema;
    if (schema['prefixItems'] !== undefined || Array.isArray(items)) incompleteFor.add('array');
    else if (items !== undefined) says('items', { type: 'array', contains: { not: items } });
    if (schema['contains'] !== undefined && schema['minContains'] !== 0)
      says('contains', { type: 'array', items: { not: schema['contains'] } });
  }

  /** A property with a name or a value that it must not have, whatever it is called. */
  function negateNames(): void {
    const { propertyNames, additionalProperties } = schema;
    const finds = (name: string, names: object, value: unknown): void => {
      const path = `some/${escapePointer(name)}`;
      const someProperty = () => ({
        names: made(`${path}/name`, () => ({ schema: { type: 'string', ...names } })),
        value: made(`${path}/value`, () => ({ schema: value === undefined ? true : { not: value } })),
      });
      says(path, { type: 'object' }, () => ({ someProperty: someProperty() }), further);
    };
    const patterns = namesUnder(node, 'patternProperties');
    for (const pattern of patterns)
      finds(`pattern/${pattern}`, { pattern }, memberOf(schema['patternProperties'], pattern));
    if (propertyNames !== undefined) finds('names', { not: propertyNames }, undefined);
    for (const name of names)
      if (propertyNames !== undefined && !parts.mayBeNamed(name, document.child(node, 'propertyNames')))
        says(`named/${escapePointer(name)}`, { type: 'object', required: [name] });
    if (additionalProperties !== undefined && additionalProperties !== true) {
      const declared = namesUnder(node, 'properties');
      const others = [
        ...(declared.length > 0 ? [{ enum: declared }] : []),
        ...patterns.map((pattern) => ({ pattern })),
      ];
      finds('additional', { allOf: others.map((one) => ({ not: one })) }, additionalProperties);
    }
  }

  function negateCombinations(): void {
    const reference = document.referenceOf(node);
    for (const part of [
      ...listedSchemas(document, node, 'allOf'),
      ...(reference === undefined ? [] : [reference]),
    ])
      options.push({ include: [], exclude: excluding(part) });
    for (const name of ['anyOf', 'oneOf']) {
      const choices = listedSchemas(document, node, name);
      if (choices.length > 0) options.push({ include: [], exclude: excluding(...choices) });
      if (name === 'oneOf') negateOnly(choices);
    }
    for (const { name, required, schema: dependent } of dependenciesOf(document, node)) {
      for (const other of required)
        says(`dependent/${escapePointer(name)}/${escapePointer(other)}`, {
          type: 'object',
          required: [name],
          properties: { [other]: false },
        });
      const there = made(`there/${escapePointer(name)}`, () => ({
        schema: { type: 'object', required: [name] },
      }));
      if (dependent !== undefined) options.push({ include: [there], exclude: excluding(dependent) });
    }
    const not = schemaUnder(document, node, 'not');
    if (not !== undefined) options.push({ include: [not], exclude: [] });
    const [condition, then, otherwise] = ['if', 'then', 'else'].map((name) =>
      schemaUnder(document, node, name),
    );
    if (condition !== undefined && then !== undefined)
      options.push({ include: [condition], exclude: excluding(then) });
    if (condition !== undefined && otherwise !== undefined)
      options.push({ include: [], exclude: excluding(condition, otherwise) });
  }

  /** To satisfy two of them is as good as to satisfy none. */
  function negateOnly(choices: readonly SchemaNode[]): void {
    if (choices.length > maxPaired) for (const kind of allKinds) incompleteFor.add(kind);
    else
      for (const [index, one] of choices.entries())
        for (const other of choices.slice(index + 1)) further.push({ include: [one, other], exclude: [] });
  }
}

/** Items or properties of one listed value of which another value may differ in one. */
const maxDiffering = 8;
/** Choices of one `oneOf` of which all pairs are looked at. */
const maxPaired = 6;
const allTypes: readonly JsonType[] = ['null', 'boolean', 'object', 'array', 'number', 'string'];
const allKinds: readonly ShapeKind[] = ['number', 'string', 'array', 'object'];

/** A limit, whom it concerns, and the limit that begins where it ends. */
const limits: readonly (readonly [string, ShapeKind, string, number])[] = [
  ['minimum', 'number', 'exclusiveMaximum', 0],
  ['maximum', 'number', 'exclusiveMinimum', 0],
  ['exclusiveMinimum', 'number', 'maximum', 0],
  ['exclusiveMaximum', 'number', 'minimum', 0],
  ['minLength', 'string', 'maxLength', -1],
  ['maxLength', 'string', 'minLength', 1],
  ['minItems', 'array', 'maxItems', -1],
  ['maxItems', 'array', 'minItems', 1],
  ['minProperties', 'object', 'maxProperties', -1],
  ['maxProperties', 'object', 'minProperties', 1],
];

/** What has an opposite that no keyword speaks of. */
const unspeakable: readonly (readonly [string, ShapeKind])[] = [
  ['additionalItems', 'array'],
  ['unevaluatedItems', 'array'],
  ['minContains', 'array'],
  ['maxContains', 'array'],
  ['uniqueItems', 'array'],
  ['unevaluatedProperties', 'object'],
];
