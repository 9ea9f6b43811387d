import type { SchemaDocument, SchemaNode } from './schema-document.ts';
import { countKeyword } from './schema-keywords.ts';
import type { ValueCheck } from './satisfies.ts';
import type { Conjunction, Shape } from './shape.ts';
import type { TextRules } from './text-rules.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** What putting a shape together may ask about the rest of the schema. */
export interface ShapeContext {
  readonly document: SchemaDocument;
  readonly rules: TextRules;
  /** Where a schema declares properties and says nothing about others, none are written. */
  readonly closesOpenObjects: boolean;
  readonly satisfies: ValueCheck;
  /** True only when no value fits for certain. */
  readonly isEmpty: (conjunction: Conjunction) => boolean;
  readonly shapesOf: (conjunction: Conjunction) => readonly Shape[];
  /** Counts work; throws when a schema asks for too much of it. */
  readonly spend: (amount: number, node: SchemaNode | undefined) => void;
}

/** Longer minimums cannot be written within any sensible budget. */
const maxMinimumCount = 65_536;

/** The tightest of all lower and upper counts. */
export function countsOf(sources: Conjunction, lower: string, upper: string): [min: number, max: number] {
  let [min, max] = [0, Infinity];
  for (const node of sources) {
    min = Math.max(min, countKeyword(node, lower) ?? 0);
    max = Math.min(max, countKeyword(node, upper) ?? Infinity);
    if (min > maxMinimumCount)
      throw new UnsupportedSchema(lower, node.path, `must be at most ${maxMinimumCount}`);
  }
  return [min, max];
}
