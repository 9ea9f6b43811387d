import { type Expression, sequenceOf } from '../grammar/expression.ts';
import type { JsonText } from '../grammar/json-text.ts';
import { textOf } from '../grammar/text-automaton.ts';

type Entries = readonly (readonly [string, unknown])[];

/** Exactly this value, with its properties in the order that `entriesOf` gives them. */
export function literalExpression(
  value: unknown,
  json: JsonText,
  entriesOf: (value: object) => Entries = Object.entries,
): Expression {
  if (typeof value !== 'object' || value === null) return textOf(JSON.stringify(value));
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((item) => [literalExpression(item, json, entriesOf)])
    : entriesOf(value).map(([name, item]) => [
        textOf(JSON.stringify(name)),
        json.colon,
        literalExpression(item, json, entriesOf),
      ]);
  const separated = members.flatMap((member, index) => (index === 0 ? member : [json.comma, ...member]));
  return sequenceOf([textOf(isList ? '[' : '{'), ...separated, textOf(isList ? ']' : '}')]);
}
