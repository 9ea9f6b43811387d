import {
  choiceOf,
  type Expression,
  optional,
  repeatOf,
  ruleWithoutTarget,
  sequenceOf,
} from '../grammar/expression.ts';
import type { JsonText } from '../grammar/json-text.ts';
import { numberExpression, widestNumber } from '../grammar/number-automaton.ts';
import { numberOnce } from '../grammar/number-once.ts';
import { stringContent } from '../grammar/string-automaton.ts';
import { oneTextOf, textOf } from '../grammar/text-automaton.ts';
import { textsOfLength } from '../patterns/text-language.ts';
import { arrayExpression } from './array-expression.ts';
import { literalExpression } from './literal-expression.ts';
import { objectExpression } from './object-expression.ts';
import { refuseTooComplex } from './refuse-too-complex.ts';
import { type Conjunction, type FreeKeys, keyOf, type ObjectShape, type Shape } from './shape.ts';

export interface OneSpellingParts {
  readonly json: JsonText;
  readonly shapesOf: (conjunction: Conjunction) => readonly Shape[];
  readonly refuse: (reason: string) => never;
}

/** Distinct places in the items of one list. */
const maxRules = 500;

/**
 * Values that have one spelling each, but for spaces, so that equal ones can be told by their text. Properties come in
 * one order wherever they are, escapes are those of `JSON.stringify`, and what nobody declared is left out. Where nothing
 * is declared there is one property at most: several could come in any order.
 */
export function oneSpellingOf(root: Conjunction, { json, shapesOf, refuse }: OneSpellingParts): Expression {
  const rules = new Map<string, Expression>();
  const ranks = new Map<string, number>();
  let anything: Expression | undefined;

  const ruleFor = (conjunction: Conjunction): Expression => {
    if (conjunction.length === 0) return (anything ??= anyOnce(json));
    const key = keyOf(conjunction);
    const known = rules.get(key);
    if (known !== undefined) return known;
    if (rules.size >= maxRules) return refuse('is not supported for items that are so complex');
    const rule = ruleWithoutTarget();
    rules.set(key, rule);
    rule.target = choiceOf(shapesOf(conjunction).map(spell));
    return rule;
  };

  const spell = (shape: Shape): Expression => {
    switch (shape.kind) {
      case 'literal':
        return literalExpression(shape.value, json, (value) => ranked(Object.entries(value)));
      case 'number':
        if (shape.range.decimals === 0) return numberExpression(shape.range);
        if (shape.range.except !== undefined)
          return refuse('is not supported for items with decimal numbers that are no multiples');
        return numberOnce(shape.range);
      case 'string': {
        const { language = anyText, minLength, maxLength, sources } = shape;
        if (minLength > maxLength) return choiceOf([]);
        const content = refuseTooComplex(sources[0], () => stringContent(language, minLength, maxLength));
        return sequenceOf([json.quote, content, json.quote]);
      }
      case 'array':
        return arrayExpression(shape, json, ruleFor, ({ rest }) => ruleFor(rest));
      default:
        return spellObject(shape);
    }
  };

  const spellObject = (shape: ObjectShape): Expression => {
    const { kind, required, soughtCount, minProperties, sources } = shape;
    const properties = new Map(ranked([...shape.properties]));
    const freeKeys = properties.size === 0 ? shape.freeKeys.map(nameOnce) : [];
    const maxProperties = freeKeys.length > 0 ? Math.min(1, shape.maxProperties) : shape.maxProperties;
    const counts = { soughtCount, minProperties, maxProperties };
    const closed = { kind, properties, required, ...counts, sources, freeKeys };
    return objectExpression(closed, json, ruleFor);
  };

  /** By the first place where each name was met: the declared order, unless several declare the same names. */
  const ranked = <Value>(entries: readonly (readonly [string, Value])[]) => {
    for (const [name] of entries) if (!ranks.has(name)) ranks.set(name, ranks.size);
    return entries.toSorted(([one], [other]) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
  };

  return ruleFor(root);
}

function nameOnce(keys: FreeKeys): FreeKeys {
  return keys.names.kind === 'any' ? { ...keys, names: { kind: 'language', language: anyText } } : keys;
}

/** Lists in lists in which anything may stand. */
const maxDepth = 3;

/** Anything but objects, whose names could come in any order. */
function anyOnce(json: JsonText): Expression {
  const text = sequenceOf([json.quote, stringContent(anyText, 0, Infinity), json.quote]);
  const scalars = choiceOf([oneTextOf(['null', 'true', 'false']), numberOnce(widestNumber), text]);
  let value = scalars;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const items = sequenceOf([value, repeatOf(sequenceOf([json.comma, value]), 0, Infinity)]);
    value = choiceOf([scalars, sequenceOf([textOf('['), optional(items), textOf(']')])]);
  }
  return value;
}

const anyText = textsOfLength(0, Infinity);
