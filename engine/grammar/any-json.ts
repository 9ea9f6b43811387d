import type { Expression } from './expression.ts';
import { choiceOf, optional, repeatOf, sequenceOf } from './expression.ts';
import { freeString, type JsonText } from './json-text.ts';
import { numberExpression, widestNumber } from './number-automaton.ts';
import { oneTextOf, textOf } from './text-automaton.ts';

/** Any JSON at all, nested at most `maxDepth` containers deep. Free keys may repeat: the last one counts, as in JSON.parse. */
export interface AnyJson {
  readonly value: Expression;
  readonly object: Expression;
}

export function createAnyJson(json: JsonText, maxDepth: number): AnyJson {
  const scalars = choiceOf([
    oneTextOf(['null', 'true', 'false']),
    numberExpression(widestNumber),
    freeString(json, 0, Infinity),
  ]);
  let value = scalars;
  let object = textOf('{}');
  for (let depth = 0; depth < maxDepth; depth += 1) {
    object = listed(json, '{', sequenceOf([freeString(json, 0, Infinity), json.colon, value]), '}');
    value = choiceOf([scalars, object, listed(json, '[', value, ']')]);
  }
  return { value, object };
}

function listed(json: JsonText, open: string, item: Expression, close: string): Expression {
  const items = sequenceOf([item, repeatOf(sequenceOf([json.comma, item]), 0, Infinity)]);
  return sequenceOf([textOf(open), optional(items), textOf(close)]);
}
