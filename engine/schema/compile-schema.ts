import { createAnyJson } from '../grammar/any-json.ts';
import {
  choiceOf,
  type Expression,
  ruleWithoutTarget,
  type RuleExpression,
  sequenceOf,
  settleMinimumBytes,
} from '../grammar/expression.ts';
import { freeString, type JsonText } from '../grammar/json-text.ts';
import { numberExpression } from '../grammar/number-automaton.ts';
import { arrayExpression } from './array-expression.ts';
import { literalExpression } from './literal-expression.ts';
import { objectExpression } from './object-expression.ts';
import { oneSpellingOf } from './one-spelling.ts';
import { openSchemaDocument } from './schema-document.ts';
import { createSchemaShapes } from './schema-shapes.ts';
import { refuseTooComplex } from './refuse-too-complex.ts';
import {
  type ArrayShape,
  type Conjunction,
  conjunctionOf,
  keyOf,
  type Shape,
  type StringShape,
} from './shape.ts';
import { stringContent } from '../grammar/string-automaton.ts';
import { oneTextOf } from '../grammar/text-automaton.ts';
import { refuseUnique } from './unique-items.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** Distinct places of a schema, recursion and combinations included. */
const maxRules = 5_000;

export interface SchemaOptions {
  readonly maxDepth: number;
  readonly closesOpenObjects: boolean;
}

/** Throws `UnsupportedSchema`. */
export function compileSchema(schema: unknown, json: JsonText, options: SchemaOptions): Expression {
  const document = openSchemaDocument(schema);
  const shapes = createSchemaShapes(document, options.closesOpenObjects);
  const anyValue = createAnyJson(json, options.maxDepth).value;
  const rules = new Map<string, RuleExpression>();
  const waiting: (readonly [Conjunction, RuleExpression])[] = [];

  const ruleFor = (conjunction: Conjunction): Expression => {
    if (conjunction.length === 0) return anyValue;
    const key = keyOf(conjunction);
    let rule = rules.get(key);
    if (rule === undefined) {
      if (rules.size >= maxRules) {
        throw new UnsupportedSchema(
          '',
          conjunction[0]?.path ?? '',
          'is too complex: its parts combine in too many ways',
        );
      }
      rule = ruleWithoutTarget();
      rules.set(key, rule);
      waiting.push([conjunction, rule]);
    }
    return rule;
  };

  const itemOnce = (shape: ArrayShape): Expression =>
    oneSpellingOf(shape.rest, {
      json,
      shapesOf: shapes.shapesOf,
      refuse: (reason) => refuseUnique(shape, reason),
    });

  const root = ruleFor(conjunctionOf([document.root]));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [conjunction, rule] = next;
    rule.target = valueExpression(shapes.shapesOf(conjunction), json, ruleFor, itemOnce);
  }
  settleMinimumBytes(root);
  if (root.minimumBytes === Infinity) throw new UnsupportedSchema('', '', 'allows no finite value');
  return root;
}

function valueExpression(
  shapes: readonly Shape[],
  json: JsonText,
  ruleFor: (conjunction: Conjunction) => Expression,
  itemOnce: (shape: ArrayShape) => Expression,
): Expression {
  const scalars: string[] = [];
  const options: Expression[] = [];
  for (const shape of shapes) {
    switch (shape.kind) {
      case 'literal':
        if (typeof shape.value === 'object' && shape.value !== null)
          options.push(literalExpression(shape.value, json));
        else scalars.push(JSON.stringify(shape.value));
        break;
      case 'number':
        options.push(numberExpression(shape.range));
        break;
      case 'string':
        options.push(stringExpression(shape, json));
        break;
      case 'array':
        options.push(arrayExpression(shape, json, ruleFor, itemOnce));
        break;
      default:
        options.push(objectExpression(shape, json, ruleFor));
        break;
    }
  }
  return choiceOf(scalars.length === 0 ? options : [oneTextOf(scalars), ...options]);
}

function stringExpression(
  { language, minLength, maxLength, sources }: StringShape,
  json: JsonText,
): Expression {
  if (minLength > maxLength) return choiceOf([]);
  if (language === undefined) return freeString(json, minLength, maxLength);
  const content = refuseTooComplex(sources[0], () => stringContent(language, minLength, maxLength));
  return sequenceOf([json.quote, content, json.quote]);
}
