import { choiceOf, type Expression, nothing, repeatOf, sequenceOf } from '../grammar/expression.ts';
import type { JsonText } from '../grammar/json-text.ts';
import { textOf } from '../grammar/text-automaton.ts';
import { type ArrayShape, type Conjunction, conjunctionOf } from './shape.ts';
import { uniqueItems } from './unique-items.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

type RuleFor = (conjunction: Conjunction) => Expression;

/** Counting the items on both sides of one that is sought makes a table: bounds its size. */
const maxCountedItems = 200;

export function arrayExpression(
  shape: ArrayShape,
  json: JsonText,
  ruleFor: RuleFor,
  /** An item of a list without repetitions, with one spelling for each value. */
  itemOnce: (shape: ArrayShape) => Expression,
): Expression {
  if (shape.minItems > shape.maxItems) return choiceOf([]);
  const content = shape.isUnique
    ? uniqueItems(shape, json, itemOnce)
    : shape.contains.length === 0
      ? items(shape, json, ruleFor)
      : itemsWith(shape, json, ruleFor);
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
 * The same with items among them that satisfy each `contains` too. Counted up to where counting stops to matter:
 * the prefix, the fewest items, or the most. What is still sought is a set of bits, one for each `contains`.
 */
function itemsWith(
  { prefix, rest, contains, minItems, maxItems, sources }: ArrayShape,
  json: JsonText,
  ruleFor: RuleFor,
): Expression {
  const isBounded = maxItems < Infinity;
  const last = isBounded ? maxItems : Math.max(prefix.length, minItems, 1);
  const everySet = Array.from({ length: 2 ** contains.length }, (_, set) => set);
  if (last * everySet.length > 2 * maxCountedItems)
    throw new UnsupportedSchema(
      'contains',
      sources[0]?.path ?? '',
      `is too complex with more than ${Math.floor((2 * maxCountedItems) / everySet.length)} items`,
    );
  const itemAt = (index: number, satisfying: number): Expression => {
    const sought = contains.filter((_, bit) => (satisfying & (1 << bit)) !== 0);
    const item = ruleFor(conjunctionOf([...(prefix[index] ?? rest), ...sought]));
    return index === 0 ? item : sequenceOf([json.comma, item]);
  };
  /** One item that is among what is sought, or none of it, and whatever follows when that is found. */
  const oneOf = (index: number, sought: number, following: readonly Expression[]): Expression[] =>
    everySet
      .filter((set) => (set & ~sought) === 0 && (set !== 0 || index < last || sought === 0))
      .map((set) => sequenceOf([itemAt(index, set), following[sought & ~set] ?? choiceOf([])]));

  const beyond: Expression[] = [];
  const anyFurther = repeatOf(itemAt(last, 0), 0, Infinity);
  for (const sought of everySet) {
    if (isBounded) beyond.push(sought === 0 ? nothing() : choiceOf([]));
    else
      beyond.push(
        sought === 0 ? anyFurther : sequenceOf([anyFurther, choiceOf(oneOf(last, sought, beyond))]),
      );
  }
  let after: readonly Expression[] = beyond;
  for (let index = last - 1; index >= 0; index -= 1) {
    const following = after;
    after = everySet.map((sought) => {
      const ways = oneOf(index, sought, following);
      return choiceOf(sought === 0 && index >= minItems ? [nothing(), ...ways] : ways);
    });
  }
  return after.at(-1) ?? choiceOf([]);
}
