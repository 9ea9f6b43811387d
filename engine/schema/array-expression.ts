import { choiceOf, type Expression, nothing, repeatOf, sequenceOf } from '../grammar/expression.ts';
import type { JsonText } from '../grammar/json-text.ts';
import { textOf } from '../grammar/text-automaton.ts';
import { type ArrayShape, type Conjunction, conjunctionOf, type Shape } from './shape.ts';
import { uniqueItems } from './unique-items.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

type RuleFor = (conjunction: Conjunction) => Expression;

/** Counting the items on both sides of one that is sought makes a table: bounds its size. */
const maxCountedItems = 200;

export function arrayExpression(
  shape: ArrayShape,
  json: JsonText,
  ruleFor: RuleFor,
  shapesOf: (conjunction: Conjunction) => readonly Shape[],
): Expression {
  if (shape.minItems > shape.maxItems) return choiceOf([]);
  const content = shape.isUnique
    ? uniqueItems(shape, json, shapesOf)
    : shape.contains === undefined
      ? items(shape, json, ruleFor)
      : itemsWith(shape, shape.contains, json, ruleFor);
  return sequenceOf([textOf('['), content, textOf(']')]);
}

function items(
  { prefix, rest, minItems, maxItems }: ArrayShape,
  json: JsonText,
  ruleFor: RuleFor,
): Expression {
  const more = Math.max(0, maxItems - prefix.length);
  const needed = Math.max(0, minItems - prefix.length);
  const item = ruleFor(rest);
  const further = sequenceOf([json.comma, item]);
  const first = sequenceOf([item, repeatOf(further, Math.max(0, needed - 1), more - 1)]);
  const loose = more === 0 ? [] : [first];
  let tail =
    prefix.length === 0
      ? choiceOf(needed === 0 ? [nothing(), ...loose] : loose)
      : repeatOf(further, needed, more);
  for (let index = prefix.length - 1; index >= 0; index -= 1) {
    const separator = index === 0 ? [] : [json.comma];
    const taken = sequenceOf([...separator, ruleFor(prefix[index] ?? []), tail]);
    tail = choiceOf(index >= minItems ? [nothing(), taken] : [taken]);
  }
  return tail;
}

/**
 * The same with one item among them that satisfies `contains` too. Counted up to where counting stops to matter:
 * the prefix, the fewest items, or the most.
 */
function itemsWith(
  { prefix, rest, minItems, maxItems, sources }: ArrayShape,
  contains: Conjunction,
  json: JsonText,
  ruleFor: RuleFor,
): Expression {
  const isBounded = maxItems < Infinity;
  const last = isBounded ? maxItems : Math.max(prefix.length, minItems, 1);
  if (last > maxCountedItems)
    throw new UnsupportedSchema(
      'contains',
      sources[0]?.path ?? '',
      `is too complex with more than ${maxCountedItems} items`,
    );
  const itemAt = (index: number, isSought: boolean): Expression => {
    const own = prefix[index] ?? rest;
    const item = ruleFor(isSought ? conjunctionOf([...own, ...contains]) : own);
    return index === 0 ? item : sequenceOf([json.comma, item]);
  };
  const anyFurther = repeatOf(itemAt(last, false), 0, Infinity);
  let hasFound = isBounded ? nothing() : anyFurther;
  let isSeeking = isBounded ? choiceOf([]) : sequenceOf([anyFurther, itemAt(last, true), anyFurther]);
  for (let index = last - 1; index >= 0; index -= 1) {
    const others = sequenceOf([itemAt(index, false), hasFound]);
    const seekingOn = sequenceOf([itemAt(index, false), isSeeking]);
    isSeeking = choiceOf([sequenceOf([itemAt(index, true), hasFound]), seekingOn]);
    hasFound = index >= minItems ? choiceOf([nothing(), others]) : others;
  }
  return isSeeking;
}
