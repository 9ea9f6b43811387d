import { distinctItems } from '../grammar/distinct-items.ts';
import { choiceOf, type Expression, sequenceOf } from '../grammar/expression.ts';
import type { JsonText } from '../grammar/json-text.ts';
import { numberExpression } from '../grammar/number-automaton.ts';
import { stringContent } from '../grammar/string-automaton.ts';
import { oneTextOf } from '../grammar/text-automaton.ts';
import { textsOfLength } from '../patterns/text-language.ts';
import { refuseTooComplex } from './refuse-too-complex.ts';
import { objectOf } from './schema-document.ts';
import type { ArrayShape, Conjunction, Shape } from './shape.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** Sets of scalars: what was written is remembered by its text, so each value must have one spelling. */
export function uniqueItems(
  { prefix, rest, contains, minItems, maxItems, sources }: ArrayShape,
  json: JsonText,
  shapesOf: (conjunction: Conjunction) => readonly Shape[],
): Expression {
  const refuse = (reason: string): never => {
    const said = sources.find((node) => objectOf(node)['uniqueItems'] === true) ?? sources[0];
    throw new UnsupportedSchema('uniqueItems', said?.path ?? '', reason);
  };
  if (minItems > 1) refuse('is not supported together with "minItems" above 1');
  if (prefix.length > 0 || contains.length > 0)
    refuse('is not supported together with "prefixItems" or "contains"');
  const shapes = rest.length === 0 ? [] : shapesOf(rest);
  const spelled = shapes.map((shape) => onlySpelling(shape, json));
  if (rest.length === 0 || spelled.includes(undefined))
    refuse('is only supported for items that are strings, integers or listed');
  const item = choiceOf(spelled.filter((one) => one !== undefined));
  return distinctItems({ item, mayBeEmpty: minItems === 0, maxItems, allowSpaces: json.allowSpaces });
}

/** The values of a shape, each with the spelling that `JSON.stringify` gives it; undefined for other shapes. */
function onlySpelling(shape: Shape, json: JsonText): Expression | undefined {
  switch (shape.kind) {
    case 'literal': {
      const isScalar = typeof shape.value !== 'object' || shape.value === null;
      return isScalar ? oneTextOf([JSON.stringify(shape.value)]) : undefined;
    }
    case 'number':
      return shape.range.decimals === 0 ? numberExpression(shape.range) : undefined;
    case 'string': {
      const { language = anyText, minLength, maxLength, sources } = shape;
      if (minLength > maxLength) return choiceOf([]);
      const content = refuseTooComplex(sources[0], () => stringContent(language, minLength, maxLength));
      return sequenceOf([json.quote, content, json.quote]);
    }
    default:
      return undefined;
  }
}

const anyText = textsOfLength(0, Infinity);
