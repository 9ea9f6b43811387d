import { isObject } from '../json-object.ts';
import { objectOf, type SchemaNode } from './schema-document.ts';
import { namesUnder, stringListKeyword } from './schema-keywords.ts';
import { refuseKeywords, schemasForProperty, schemaUnder } from './schema-parts.ts';
import {
  type Conjunction,
  conjunctionOf,
  keyOf,
  type FreeKeys,
  type FreeNames,
  type ObjectShape,
  type Properties,
} from './shape.ts';
import {
  includesText,
  isEmptyLanguage,
  languageOf,
  type TextAutomaton,
  textsOfLength,
} from '../patterns/text-language.ts';
import { refuseTooComplex } from './refuse-too-complex.ts';
import { countsOf, type ShapeContext } from './shape-context.ts';
import { partsOfNames, soughtIn } from './sought-properties.ts';
import { madeUp, UnsupportedSchema } from './unsupported-schema.ts';

export interface ObjectShapes {
  shapeOf(sources: Conjunction): ObjectShape;
  asWritten(shape: ObjectShape): Conjunction;
  isEmpty(shape: ObjectShape): boolean;
}

/**
 * Objects are written in declared order, then the names nobody declared. Where a schema declares properties and
 * says nothing about others, these are unasked, or not written at all: closed objects satisfy open schemas.
 */
export function createObjectShapes(context: ShapeContext): ObjectShapes {
  const { document, rules, satisfies, isEmpty, shapesOf, spend } = context;
  const anyName = textsOfLength(0, Infinity);
  const parts = new Map<SchemaNode, ObjectPart>();
  const partOf = (node: SchemaNode): ObjectPart => {
    let part = parts.get(node);
    if (part === undefined) {
      refuseKeywords(node, unsupported);
      part = {
        names: namesUnder(node, 'properties'),
        required: stringListKeyword(node, 'required'),
        counts: countsOf([node], 'minProperties', 'maxProperties'),
        byName: new Map(),
      };
      parts.set(node, part);
    }
    return part;
  };

  const propertyOf = (node: SchemaNode, name: string): readonly SchemaNode[] => {
    const { byName } = partOf(node);
    let schemas = byName.get(name);
    if (schemas === undefined) {
      const propertyNames = schemaUnder(document, node, 'propertyNames');
      schemas =
        propertyNames !== undefined && !satisfies(name, propertyNames)
          ? [document.made(`${node.path}${madeUp}never`, () => ({ schema: false }))]
          : schemasForProperty(document, node, name, (pattern) =>
              includesText(rules.compile(pattern, 'patternProperties', node), name),
            );
      byName.set(name, schemas);
    }
    return schemas;
  };

  const propertyIn = (sources: Conjunction, name: string): Conjunction => {
    const schemas: SchemaNode[] = [];
    for (const node of sources) schemas.push(...propertyOf(node, name));
    return conjunctionOf(schemas);
  };

  /** Known at once where no patterns say which names are free; undefined where it must be worked out. */
  const hasFreeKeys = (sources: Conjunction): boolean | undefined => {
    const closed = sources.filter((node) => objectOf(node)['additionalProperties'] === false);
    if (closed.some((node) => namesUnder(node, 'patternProperties').length === 0)) return false;
    if (sources.some((node) => namesUnder(node, 'patternProperties').length > 0)) return undefined;
    const additional = sources.map((node) => objectOf(node)['additionalProperties']);
    if (additional.some((schema) => schema !== undefined)) return undefined;
    if (sources.some(({ someProperty }) => someProperty !== undefined)) return undefined;
    if (context.closesOpenObjects && sources.some(declaresSome)) return false;
    return sources.some((node) => objectOf(node)['propertyNames'] !== undefined) ? undefined : true;
  };

  const freeKeysOf = (sources: Conjunction, properties: ObjectShape['properties']): FreeKeys[] => {
    if (hasFreeKeys(sources) === false) return [];
    const declared = [...properties.keys()];
    const additional = (except: readonly SchemaNode[] = []) =>
      sources
        .filter((node) => !except.includes(node))
        .map((node) => schemaUnder(document, node, 'additionalProperties'))
        .filter((node) => node !== undefined);
    const named = sources.flatMap((node) =>
      namesUnder(node, 'patternProperties').map((pattern) => ({
        node,
        language: rules.compile(pattern, 'patternProperties', node),
        schema: document.child(node, 'patternProperties', pattern),
      })),
    );
    // Several schemas may speak of the same pattern: then all of them count.
    const patterns = [...Map.groupBy(named, ({ language }) => language)].map(([language, said]) => ({
      node: said[0]?.node,
      language,
      schemas: [...said.map(({ schema }) => schema), ...additional(said.map(({ node }) => node))],
    }));
    const [first] = sources;
    if (patterns.length > maxKeyPatterns) {
      throw new UnsupportedSchema(
        'patternProperties',
        first?.path ?? '',
        `may hold at most ${maxKeyPatterns} patterns`,
      );
    }
    const names = nameLanguage(sources);
    const rest = additional();
    const isUnasked = rest.length === 0 && (patterns.length > 0 || sources.some(declaresSome));
    const isClosedByDefault = context.closesOpenObjects && isUnasked;
    const sought = soughtIn(sources, namesSatisfying);
    const keys: FreeKeys[] = [];
    if (patterns.length === 0 && names === undefined && sought.length === 0) {
      const free: FreeNames = declared.length === 0 ? { kind: 'any' } : { kind: 'other-than', declared };
      if (!isClosedByDefault) keys.push({ names: free, value: conjunctionOf(rest), isUnasked, finds: [] });
    } else {
      const push = (all: TextAutomaton, schemas: readonly SchemaNode[], isSilent: boolean) => {
        const taken = declared.filter((name) => includesText(all, name));
        const whole = taken.length === 0 ? all : rules.without(all, languageOf(taken), 'properties', first);
        const parts = partsOfNames({ language: whole, value: conjunctionOf(schemas) }, sought, rules);
        for (const { language, value, finds } of parts) {
          const isUnasked = isSilent && finds.length === 0;
          if (!isEmptyLanguage(language) && !(isUnasked && context.closesOpenObjects))
            keys.push({ names: { kind: 'language', language }, value, isUnasked, finds });
        }
      };
      for (const { node, language, schemas } of patterns) {
        const others = patterns.filter((other) => other.language !== language).map((other) => other.language);
        const own = names === undefined ? language : rules.meet(names, language, 'patternProperties', node);
        push(
          others.reduce((left, other) => rules.without(left, other, 'patternProperties', node), own),
          schemas,
          false,
        );
      }
      if (!isClosedByDefault || sought.length > 0)
        push(
          patterns.reduce(
            (left, one) => rules.without(left, one.language, 'patternProperties', one.node),
            names ?? anyName,
          ),
          rest,
          isUnasked,
        );
    }
    return keys.filter(({ value }) => !isNever(value) && !isEmpty(value));
  };

  /** What `propertyNames` leaves of all names; undefined when everything. */
  const nameLanguage = (sources: Conjunction): TextAutomaton | undefined => {
    let names: TextAutomaton | undefined;
    for (const node of sources) {
      const schema = schemaUnder(document, node, 'propertyNames');
      if (schema === undefined || schema.schema === true) continue;
      const allowed = namesSatisfying(schema, node);
      names = names === undefined ? allowed : rules.meet(names, allowed, 'propertyNames', node);
    }
    return names;
  };

  const namesSatisfying = (schema: SchemaNode, node: SchemaNode = schema): TextAutomaton => {
    const shapes = shapesOf(conjunctionOf([schema])).filter(
      (shape) => shape.kind === 'string' || typeof literalOf(shape) === 'string',
    );
    const [shape] = shapes;
    const literals = shapes.map(literalOf).filter((value) => typeof value === 'string');
    return refuseTooComplex(
      node,
      () => {
        if (literals.length === shapes.length) return languageOf(literals);
        if (shapes.length > 1 || shape?.kind !== 'string')
          throw new UnsupportedSchema('propertyNames', node.path, 'is not supported');
        const lengths = textsOfLength(shape.minLength, shape.maxLength);
        return shape.language === undefined
          ? lengths
          : rules.meet(shape.language, lengths, 'propertyNames', node);
      },
      'propertyNames',
    );
  };

  return {
    shapeOf: (sources) => {
      const said = sources.map(partOf);
      const required = new Set<string>();
      for (const part of said) for (const name of part.required) required.add(name);
      const nameCount = said.reduce((sum, { names }) => sum + names.length, required.size);
      spend(sources.length + nameCount, sources[0]);
      const declared = (): ReadonlySet<string> => {
        const names = new Set<string>();
        for (const part of said) for (const name of part.names) names.add(name);
        for (const name of required) names.add(name);
        spend(sources.length * names.size, sources[0]);
        return names;
      };
      const properties = onDemand(declared, required, (name) => propertyIn(sources, name));
      let freeKeys: readonly FreeKeys[] | undefined;
      return {
        kind: 'object',
        properties,
        required,
        /** Dear to work out, and only what is written needs them. */
        get freeKeys() {
          freeKeys ??= freeKeysOf(sources, properties);
          return freeKeys;
        },
        soughtCount: sources.filter(({ someProperty }) => someProperty !== undefined).length,
        minProperties: Math.max(0, ...said.map(({ counts: [least] }) => least)),
        maxProperties: Math.min(Infinity, ...said.map(({ counts: [, most] }) => most)),
        sources,
      };
    },
    asWritten: (shape) => {
      if (hasFreeKeys(shape.sources) ?? shape.freeKeys.length > 0) return shape.sources;
      const closed = document.made(`closed:${keyOf(shape.sources)}`, () => {
        const names = [...shape.properties.keys()];
        const properties = Object.fromEntries(names.map((name) => [name, true]));
        return { schema: { properties, additionalProperties: false } };
      });
      return conjunctionOf([...shape.sources, closed]);
    },
    isEmpty: (shape) =>
      shape.minProperties > shape.maxProperties ||
      shape.required.size > shape.maxProperties ||
      [...shape.required].some((name) => isEmpty(shape.properties.get(name) ?? [])) ||
      lacksSought(shape),
  };
}

/** Each is kept apart from every other one: bounds that work. */
const maxKeyPatterns = 16;
const unsupported = ['unevaluatedProperties'];

/** What one schema says about objects, read once. */
interface ObjectPart {
  readonly names: readonly string[];
  readonly required: readonly string[];
  readonly counts: readonly [min: number, max: number];
  /** The schemas for the properties that somebody asked about. */
  readonly byName: Map<string, readonly SchemaNode[]>;
}

/** Most shapes are only held against others, by the names and a few of the values. */
function onDemand(
  namesOf: () => ReadonlySet<string>,
  required: ReadonlySet<string>,
  work: (name: string) => Conjunction,
): Properties {
  const known = new Map<string, Conjunction>();
  let names: ReadonlySet<string> | undefined;
  const keys = (): ReadonlySet<string> => (names ??= namesOf());
  const get = (name: string): Conjunction | undefined => {
    if (!required.has(name) && !keys().has(name)) return undefined;
    const found = known.get(name) ?? work(name);
    known.set(name, found);
    return found;
  };
  return {
    get size() {
      return keys().size;
    },
    keys,
    get,
    *[Symbol.iterator]() {
      for (const name of keys()) yield [name, get(name) ?? []];
    },
  };
}

/** To forbid some names alone declares none. */
function declaresSome(node: SchemaNode): boolean {
  const { properties, required } = objectOf(node);
  if (Array.isArray(required) && required.length > 0) return true;
  if (!isObject(properties)) return false;
  const schemas = Object.values(properties);
  return schemas.length === 0 || schemas.some((schema) => schema !== false);
}

/** Known for certain only where the free names are all names: those of two patterns at once are never written. */
function lacksSought(shape: ObjectShape): boolean {
  if (shape.soughtCount === 0) return false;
  const patterns = new Set(shape.sources.flatMap((node) => namesUnder(node, 'patternProperties')));
  if (patterns.size > 1 || shape.sources.some((node) => objectOf(node)['propertyNames'] !== undefined))
    return false;
  return new Set(shape.freeKeys.flatMap(({ finds }) => finds)).size < shape.soughtCount;
}

function isNever(value: Conjunction): boolean {
  return value.some((node) => node.schema === false);
}

function literalOf(shape: { readonly kind: string; readonly value?: unknown }): unknown {
  return shape.kind === 'literal' ? shape.value : undefined;
}
