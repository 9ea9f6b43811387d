import { createAlternatives, type Alternative, type Exclusion, type Option } from './schema-alternatives.ts';
import { createValueCheck } from './satisfies.ts';
import type { SchemaDocument, SchemaNode } from './schema-document.ts';
import { objectOf } from './schema-document.ts';
import { type JsonType, listKeyword, typesOf } from './schema-keywords.ts';
import { negationOf, type NegationParts } from './schema-negation.ts';
import { type Conjunction, conjunctionOf, keyOf, type LiteralShape, type Shape } from './shape.ts';
import { shapeIncludes } from './shape-membership.ts';
import { createTextRules } from './text-rules.ts';
import { includesText, isEmptyLanguage, textsOfLength, textsOtherThan } from '../patterns/text-language.ts';
import { formatLanguage, widestFormatLanguage } from '../patterns/format-languages.ts';
import { createTypedShapes, type ShapeKind } from './typed-shapes.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** Turns schemas that must hold together into the shapes a value may take. */
export interface SchemaShapes {
  /** Every value of every shape satisfies all schemas. Throws `UnsupportedSchema`. */
  shapesOf(conjunction: Conjunction): readonly Shape[];
}

/** Schemas looked at for one schema, over all its combinations: bounds what combining can cost. */
const maxWork = 200_000;
/** How deep emptiness is looked into; deeper, a schema counts as satisfiable. */
const maxEmptinessDepth = 12;
/** How many exclusions one shape is narrowed by, one after the other. */
const maxNegations = 24;

export function createSchemaShapes(document: SchemaDocument, closesOpenObjects: boolean): SchemaShapes {
  const rules = createTextRules();
  const satisfies = createValueCheck(document, rules);
  const satisfiesAll = (value: unknown, nodes: Conjunction) => nodes.every((node) => satisfies(value, node));
  let work = 0;
  let emptinessDepth = 0;
  const emptiness = new Map<string, boolean>();
  const wideShapes = new Map<SchemaNode, readonly Shape[]>();
  const knownTags = new WeakMap<Shape, Map<string, Set<string>>>();

  const spend = (amount: number, node: SchemaNode | undefined): void => {
    work += amount;
    if (work > maxWork)
      throw new UnsupportedSchema('', node?.path ?? '', 'is too complex: its parts combine in too many ways');
  };

  const shapesOf = (conjunction: Conjunction, mode: 'exact' | 'wide'): Shape[] => {
    const shapes: Shape[] = [];
    for (const alternative of alternatives.of(conjunction)) {
      spend(1 + alternative.nodes.length, conjunction[0]);
      for (const shape of shapesOfAlternative(alternative))
        shapes.push(...(mode === 'exact' ? keptApart(shape, alternative, 0) : [shape]));
    }
    return withoutTwins(shapes);
  };

  /** The shape where it has nothing in common with what is excluded; otherwise as many narrower ones as it takes. */
  const keptApart = (shape: Shape, alternative: Alternative, depth: number): Shape[] => {
    const met =
      shape.kind === 'literal' ? undefined : alternative.exclusions.find((one) => canBeBoth(shape, one));
    if (met === undefined) return [shape];
    const negation =
      depth < maxNegations
        ? negationOf(met, shape.kind === 'object' ? [...shape.properties.keys()] : [], negations)
        : undefined;
    const exclusions = alternative.exclusions.filter((one) => one !== met);
    const ways = (options: readonly Option[]): readonly Alternative[] =>
      options.flatMap((option) => alternatives.within({ ...alternative, exclusions }, option));
    const narrowedBy = (options: readonly Option[] = []): Shape[] =>
      ways(options).flatMap((one) => {
        spend(1 + one.nodes.length, met.node);
        return shapesOfAlternative(one, shape.kind)
          .filter((found) => !isEmptyShape(found))
          .flatMap((found) => keptApart(found, one, depth + 1));
      });
    const plain = narrowedBy(negation?.options);
    const narrower = [
      ...plain,
      ...narrowedBy(negation?.undeclared),
      ...(plain.length === 0 ? narrowedBy(negation?.further) : []),
    ];
    const isIncomplete = () =>
      negation === undefined ||
      negation.incompleteFor.has(shape.kind as ShapeKind) ||
      ways(negation.doubtful).some((one) => shapesOfAlternative(one, shape.kind).some(canBeWritten));
    if (narrower.length === 0 && isIncomplete()) {
      throw new UnsupportedSchema(
        met.keyword,
        met.path,
        `has parts that cannot be told apart for a value of type ${shape.kind}`,
      );
    }
    return narrower;
  };

  const shapesOfAlternative = ({ nodes, exclusions }: Alternative, only?: Shape['kind']): Shape[] => {
    const listed = listedValues(nodes);
    const literals = (values: readonly unknown[]): Shape[] =>
      values
        .filter((value) => only === undefined || kindOf(value) === only)
        .filter(
          (value) =>
            satisfiesAll(value, nodes) && !exclusions.some(({ node }) => satisfies(value, node, 'perhaps')),
        )
        .map((value) => ({ kind: 'literal', value }));
    if (listed !== undefined) return literals(listed);
    const types = commonTypes(nodes);
    const shapes = literals(
      [null, true, false].filter((value) => types.has(value === null ? 'null' : 'boolean')),
    );
    for (const kind of ['number', 'string', 'array', 'object'] as const) {
      if (only !== undefined && kind !== only) continue;
      if (types.has(kind) || (kind === 'number' && types.has('integer')))
        shapes.push(...typed.shapeOf(kind, nodes));
    }
    return shapes;
  };

  const canBeBoth = (shape: Exclude<Shape, LiteralShape>, { node }: Exclusion): boolean => {
    const tags = tagsOf(shape);
    let written: Conjunction | undefined;
    return wideShapesOf(node).some((excluded) => {
      if (excluded.kind === 'literal') return shapeIncludes(shape, excluded.value, satisfies);
      if (excluded.kind !== shape.kind || haveDifferentTags(tags, tagsOf(excluded))) return false;
      written ??= typed.asWritten(shape);
      return canMeet(shape.kind, conjunctionOf([...written, ...excluded.sources]));
    });
  };

  /** Required properties with listed values: the usual way to tell objects apart, and a cheap one. */
  const tagsOf = (shape: Shape): Tags => {
    if (shape.kind !== 'object') return noTags;
    let tags = knownTags.get(shape);
    if (tags === undefined) {
      tags = new Map();
      for (const name of shape.required) {
        const values = listedValues(shape.properties.get(name) ?? []);
        if (values?.every(isScalar) === true)
          tags.set(name, new Set(values.map((value) => JSON.stringify(value))));
      }
      knownTags.set(shape, tags);
    }
    return tags;
  };

  const wideShapesOf = (node: SchemaNode): readonly Shape[] => {
    const known = wideShapes.get(node);
    const found = known ?? shapesOf(conjunctionOf([node]), 'wide');
    if (known === undefined) wideShapes.set(node, found);
    return found;
  };

  const canMeet = (kind: ShapeKind, nodes: Conjunction): boolean =>
    typed.shapeOf(kind, nodes).some((shape) => !typed.isEmpty(shape));

  const isEmpty = (conjunction: Conjunction): boolean => {
    if (conjunction.length === 0) return false;
    const key = keyOf(conjunction);
    const known = emptiness.get(key);
    if (known !== undefined || emptinessDepth >= maxEmptinessDepth) return known ?? false;
    emptiness.set(key, false);
    emptinessDepth += 1;
    const empty = shapesOf(conjunction, 'wide').every((shape) => typed.isEmpty(shape));
    emptinessDepth -= 1;
    emptiness.set(key, empty);
    return empty;
  };

  const isEmptyShape = (shape: Shape): boolean => typed.isEmpty(shape);
  const anyText = textsOfLength(0, Infinity);
  const negations: NegationParts = {
    document,
    textsWithout: (pattern, node) =>
      rules.without(anyText, rules.compile(pattern, 'pattern', node), 'pattern', node),
    textsWithoutFormat: (format, certainty, node) => {
      const language = (certainty === 'surely' ? formatLanguage : widestFormatLanguage)(format);
      return language === undefined ? undefined : rules.without(anyText, language, 'format', node);
    },
    textsOtherThan,
    mayBeNamed: (name, names) => satisfies(name, names, 'perhaps'),
    matches: (pattern, name, node) => includesText(rules.compile(pattern, 'patternProperties', node), name),
  };

  const typed = createTypedShapes({
    document,
    rules,
    closesOpenObjects,
    satisfies,
    isEmpty,
    spend,
    shapesOf: (conjunction) => shapesOf(conjunction, 'exact'),
  });
  const alternatives = createAlternatives(document);
  return { shapesOf: (conjunction) => shapesOf(conjunction, 'exact') };
}

/** The values of the first `const` or `enum`; every other schema then only filters them. */
function listedValues(nodes: readonly SchemaNode[]): readonly unknown[] | undefined {
  for (const node of nodes) {
    const constant = objectOf(node)['const'];
    if (constant !== undefined) return [constant];
  }
  for (const node of nodes) {
    const values = listKeyword(node, 'enum');
    if (values !== undefined) return values;
  }
  return undefined;
}

function canBeWritten(shape: Shape): boolean {
  return shape.kind !== 'string' || shape.language === undefined || !isEmptyLanguage(shape.language);
}

type Tags = ReadonlyMap<string, ReadonlySet<string>>;
const noTags: Tags = new Map();

function kindOf(value: unknown): Shape['kind'] {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' || typeof value === 'string') return typeof value as 'number' | 'string';
  return typeof value === 'object' && value !== null ? 'object' : 'literal';
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function haveDifferentTags(one: Tags, other: Tags): boolean {
  for (const [name, values] of one) if (other.get(name)?.isDisjointFrom(values) === true) return true;
  return false;
}

function commonTypes(nodes: readonly SchemaNode[]): Set<JsonType> {
  let common = new Set<JsonType>(['null', 'boolean', 'object', 'array', 'number', 'string']);
  for (const node of nodes) {
    const types = typesOf(node);
    if (types === undefined) continue;
    const isAlsoInteger = types.has('number') && common.has('integer');
    const isNowInteger = types.has('integer') && (common.has('number') || common.has('integer'));
    common = new Set([...common].filter((type) => type !== 'integer' && types.has(type)));
    if (!common.has('number') && (isAlsoInteger || isNowInteger)) common.add('integer');
  }
  return common;
}

/** Alternatives often repeat a value, such as null; one is enough. */
function withoutTwins(shapes: Shape[]): Shape[] {
  if (shapes.length < 2) return shapes;
  const seen = new Set<string>();
  return shapes.filter((shape) => {
    const identity =
      shape.kind === 'literal' ? JSON.stringify(shape.value) : identityOf(shape.kind, shape.sources);
    if (seen.has(identity)) return false;
    seen.add(identity);
    return true;
  });
}

function identityOf(kind: string, sources: Conjunction): string {
  return `${kind}:${keyOf(sources)}`;
}
