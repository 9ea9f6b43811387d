import { createAlternatives, type Alternative } from './schema-alternatives.ts';
import { createValueCheck } from './satisfies.ts';
import type { SchemaDocument, SchemaNode } from './schema-document.ts';
import { objectOf } from './schema-document.ts';
import { type JsonType, listKeyword, typesOf } from './schema-keywords.ts';
import { type Conjunction, conjunctionOf, type Shape } from './shape.ts';
import { shapeIncludes } from './shape-membership.ts';
import { createTextRules } from './text-rules.ts';
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

export function createSchemaShapes(document: SchemaDocument): SchemaShapes {
  const rules = createTextRules();
  const satisfies = createValueCheck(document, rules);
  const satisfiesAll = (value: unknown, nodes: Conjunction) => nodes.every((node) => satisfies(value, node));
  let work = 0;
  let emptinessDepth = 0;
  const emptiness = new Map<string, boolean>();
  const wideShapes = new Map<string, readonly Shape[]>();
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
      for (const shape of shapesOfAlternative(alternative)) {
        if (mode === 'exact') for (const exclusion of alternative.exclusions) proveApart(shape, exclusion);
        shapes.push(shape);
      }
    }
    return withoutTwins(shapes);
  };

  const shapesOfAlternative = ({ nodes }: Alternative): Shape[] => {
    const listed = listedValues(nodes);
    const literals = (values: readonly unknown[]): Shape[] =>
      values.filter((value) => satisfiesAll(value, nodes)).map((value) => ({ kind: 'literal', value }));
    if (listed !== undefined) return literals(listed);
    const types = commonTypes(nodes);
    const shapes = literals(
      [null, true, false].filter((value) => types.has(value === null ? 'null' : 'boolean')),
    );
    for (const kind of ['number', 'string', 'array', 'object'] as const) {
      if (types.has(kind) || (kind === 'number' && types.has('integer')))
        shapes.push(...typed.shapeOf(kind, nodes));
    }
    return shapes;
  };

  /** Literal values were checked one by one already; other shapes must have nothing in common with what is excluded. */
  const proveApart = (shape: Shape, { node, keyword, path }: Alternative['exclusions'][number]): void => {
    if (shape.kind === 'literal') return;
    const written = typed.asWritten(shape);
    const tags = tagsOf(shape);
    for (const excluded of wideShapesOf(node)) {
      if (haveDifferentTags(tags, tagsOf(excluded))) continue;
      const meets =
        excluded.kind === 'literal'
          ? shapeIncludes(shape, excluded.value, satisfies)
          : excluded.kind === shape.kind &&
            canMeet(shape.kind, conjunctionOf([...written, ...excluded.sources]));
      if (meets)
        throw new UnsupportedSchema(
          keyword,
          path,
          `has parts that cannot be told apart for a value of type ${shape.kind}`,
        );
    }
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
    const known = wideShapes.get(node.path);
    const found = known ?? shapesOf(conjunctionOf([node]), 'wide');
    if (known === undefined) wideShapes.set(node.path, found);
    return found;
  };

  const canMeet = (kind: ShapeKind, nodes: Conjunction): boolean =>
    typed.shapeOf(kind, nodes).some((shape) => !typed.isEmpty(shape));

  const isEmpty = (conjunction: Conjunction): boolean => {
    if (conjunction.length === 0) return false;
    const key = conjunction.map((node) => node.path).join('&');
    const known = emptiness.get(key);
    if (known !== undefined || emptinessDepth >= maxEmptinessDepth) return known ?? false;
    emptiness.set(key, false);
    emptinessDepth += 1;
    const empty = shapesOf(conjunction, 'wide').every((shape) => typed.isEmpty(shape));
    emptinessDepth -= 1;
    emptiness.set(key, empty);
    return empty;
  };

  const typed = createTypedShapes({
    document,
    rules,
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

type Tags = ReadonlyMap<string, ReadonlySet<string>>;
const noTags: Tags = new Map();

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
function withoutTwins(shapes: readonly Shape[]): Shape[] {
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
  return `${kind}:${sources.map((node) => node.path).join('&')}`;
}
