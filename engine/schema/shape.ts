import type { NumberRange } from '../grammar/number-automaton.ts';
import type { SchemaNode } from './schema-document.ts';
import type { TextAutomaton } from '../patterns/text-language.ts';

/** Several schemas that one value must satisfy together, each once, in the order of their properties. None: any value. */
export type Conjunction = readonly SchemaNode[];

/** One kind of value a schema allows, with everything the schema says about that kind put together. */
export type Shape = LiteralShape | NumberShape | StringShape | ArrayShape | ObjectShape;

export interface LiteralShape {
  readonly kind: 'literal';
  readonly value: unknown;
}

interface DerivedShape {
  /** The schemas it was put together from: meeting another shape means putting both lists together. */
  readonly sources: Conjunction;
}

export interface NumberShape extends DerivedShape {
  readonly kind: 'number';
  readonly range: NumberRange;
}

export interface StringShape extends DerivedShape {
  readonly kind: 'string';
  /** Undefined: any text. */
  readonly language: TextAutomaton | undefined;
  readonly minLength: number;
  readonly maxLength: number;
}

export interface ArrayShape extends DerivedShape {
  readonly kind: 'array';
  readonly prefix: readonly Conjunction[];
  readonly rest: Conjunction;
  /** For each of these an item must satisfy it as well; one item may do for several. */
  readonly contains: readonly SchemaNode[];
  /** No item may come twice. */
  readonly isUnique: boolean;
  readonly minItems: number;
  readonly maxItems: number;
}

export interface ObjectShape extends DerivedShape {
  readonly kind: 'object';
  /** In the order in which they are written. */
  readonly properties: Properties;
  readonly required: ReadonlySet<string>;
  readonly freeKeys: readonly FreeKeys[];
  /** How many of the free properties are sought: one of each must be there. */
  readonly soughtCount: number;
  readonly minProperties: number;
  readonly maxProperties: number;
}

/** In the declared order. */
export interface Properties extends Iterable<readonly [string, Conjunction]> {
  readonly size: number;
  keys(): Iterable<string>;
  get(name: string): Conjunction | undefined;
}

/** Names that are not declared, and what their values must be. Two of these never share a name. */
export interface FreeKeys {
  readonly names: FreeNames;
  readonly value: Conjunction;
  /** Allowed because the schema, which declares others, is silent about them. */
  readonly isUnasked: boolean;
  /** The numbers of the sought properties that one of these is. */
  readonly finds: readonly number[];
}

export type FreeNames =
  | { readonly kind: 'any' }
  | { readonly kind: 'other-than'; readonly declared: readonly string[] }
  | { readonly kind: 'language'; readonly language: TextAutomaton };

export function conjunctionOf(nodes: readonly SchemaNode[]): Conjunction {
  if (nodes.length === 1 && nodes[0]?.schema !== true) return nodes;
  return nodes.filter((node, index) => node.schema !== true && nodes.indexOf(node) === index);
}

/** The same for the same schemas in any order, and for no others. */
export function keyOf(conjunction: Conjunction): string {
  if (conjunction.length === 1) return String(conjunction[0]?.id);
  const ids = conjunction.map(({ id }) => id);
  return ids.sort((one, other) => one - other).join(',');
}
