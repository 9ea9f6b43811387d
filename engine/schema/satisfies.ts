import { isObject } from '../json-object.ts';
import { isMultiple } from '../grammar/decimal.ts';
import { memberOf, objectOf, type SchemaDocument, type SchemaNode } from './schema-document.ts';
import { countKeyword, numberKeyword, stringListKeyword, typesOf } from './schema-keywords.ts';
import {
  arrayParts,
  dependenciesOf,
  listedSchemas,
  refuseKeywords,
  schemasForProperty,
  schemaUnder,
} from './schema-parts.ts';
import { includesText } from '../patterns/text-language.ts';
import type { TextRules } from './text-rules.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** Whether one known value satisfies a schema. Exact; needed where values are listed (`const`, `enum`). */
export function createValueCheck(
  document: SchemaDocument,
  rules: TextRules,
): (value: unknown, node: SchemaNode) => boolean {
  const maxDepth = 256;
  let depth = 0;

  const satisfies = (value: unknown, node: SchemaNode): boolean => {
    if (typeof node.schema === 'boolean') return node.schema;
    depth += 1;
    if (depth > maxDepth) throw new UnsupportedSchema('$ref', node.path, 'refers to itself without end');
    try {
      return satisfiesApplicators(value, node) && satisfiesOwn(value, node);
    } finally {
      depth -= 1;
    }
  };

  const satisfiesApplicators = (value: unknown, node: SchemaNode): boolean => {
    const holds = (one: SchemaNode) => satisfies(value, one);
    const reference = document.referenceOf(node);
    if (reference !== undefined && !holds(reference)) return false;
    if (!listedSchemas(document, node, 'allOf').every(holds)) return false;
    const anyOf = listedSchemas(document, node, 'anyOf');
    if (anyOf.length > 0 && !anyOf.some(holds)) return false;
    const oneOf = listedSchemas(document, node, 'oneOf');
    if (oneOf.length > 0 && oneOf.filter(holds).length !== 1) return false;
    const not = schemaUnder(document, node, 'not');
    if (not !== undefined && holds(not)) return false;
    const condition = schemaUnder(document, node, 'if');
    if (condition === undefined) return true;
    const consequence = schemaUnder(document, node, holds(condition) ? 'then' : 'else');
    return consequence === undefined || holds(consequence);
  };

  const satisfiesOwn = (value: unknown, node: SchemaNode): boolean => {
    const types = typesOf(node);
    if (types !== undefined && !typeNames(value).some((name) => types.has(name))) return false;
    const { const: constant, enum: values } = objectOf(node);
    if (constant !== undefined && !isSameValue(constant, value)) return false;
    if (Array.isArray(values) && !values.includes(value) && !values.some((one) => isSameValue(one, value)))
      return false;
    if (typeof value === 'number') return satisfiesNumber(value, node);
    if (typeof value === 'string') return satisfiesText(value, node);
    if (Array.isArray(value)) return satisfiesArray(value, node);
    return isObject(value) ? satisfiesObject(value, node) : true;
  };

  const satisfiesText = (value: string, node: SchemaNode): boolean => {
    const length = Array.from(value).length;
    if (
      length < (countKeyword(node, 'minLength') ?? 0) ||
      length > (countKeyword(node, 'maxLength') ?? Infinity)
    )
      return false;
    return rules.languagesOf(node).every((language) => includesText(language, value));
  };

  const satisfiesArray = (values: readonly unknown[], node: SchemaNode): boolean => {
    refuseKeywords(node, ['unevaluatedItems']);
    const tooFew = values.length < (countKeyword(node, 'minItems') ?? 0);
    if (tooFew || values.length > (countKeyword(node, 'maxItems') ?? Infinity)) return false;
    const contains = schemaUnder(document, node, 'contains');
    if (contains !== undefined) {
      const found = values.filter((value) => satisfies(value, contains)).length;
      if (found < (countKeyword(node, 'minContains') ?? 1)) return false;
      if (found > (countKeyword(node, 'maxContains') ?? Infinity)) return false;
    }
    const { prefix, rest } = arrayParts(document, node);
    const isUnique = values.every(
      (value, index) => !values.slice(0, index).some((other) => isSameValue(value, other)),
    );
    if (objectOf(node)['uniqueItems'] === true && !isUnique) return false;
    return values.every((value, index) => {
      const schema = prefix[index] ?? rest;
      return schema === undefined || satisfies(value, schema);
    });
  };

  const satisfiesObject = (value: Readonly<Record<string, unknown>>, node: SchemaNode): boolean => {
    refuseKeywords(node, ['unevaluatedProperties']);
    const names = Object.keys(value);
    const isBroken = dependenciesOf(document, node).some(
      ({ name, required, schema }) =>
        names.includes(name) &&
        !(
          required.every((other) => names.includes(other)) &&
          (schema === undefined || satisfies(value, schema))
        ),
    );
    if (isBroken) return false;
    const tooFew = names.length < (countKeyword(node, 'minProperties') ?? 0);
    if (tooFew || names.length > (countKeyword(node, 'maxProperties') ?? Infinity)) return false;
    if (!stringListKeyword(node, 'required').every((name) => names.includes(name))) return false;
    const propertyNames = schemaUnder(document, node, 'propertyNames');
    if (propertyNames !== undefined && !names.every((name) => satisfies(name, propertyNames))) return false;
    return names.every((name) => {
      const matches = (pattern: string) =>
        includesText(rules.compile(pattern, 'patternProperties', node), name);
      const schemas = schemasForProperty(document, node, name, matches);
      return schemas.every((schema) => satisfies(memberOf(value, name), schema));
    });
  };

  return satisfies;
}

function satisfiesNumber(value: number, node: SchemaNode): boolean {
  const divisor = numberKeyword(node, 'multipleOf');
  return (
    value >= (numberKeyword(node, 'minimum') ?? -Infinity) &&
    value <= (numberKeyword(node, 'maximum') ?? Infinity) &&
    value > (numberKeyword(node, 'exclusiveMinimum') ?? -Infinity) &&
    value < (numberKeyword(node, 'exclusiveMaximum') ?? Infinity) &&
    (divisor === undefined || isMultiple(value, divisor))
  );
}

function typeNames(value: unknown) {
  if (value === null) return ['null'] as const;
  if (Array.isArray(value)) return ['array'] as const;
  if (typeof value === 'number')
    return Number.isInteger(value) ? (['integer', 'number'] as const) : (['number'] as const);
  if (typeof value === 'string') return ['string'] as const;
  return typeof value === 'boolean' ? (['boolean'] as const) : (['object'] as const);
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSameValue(value, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameValue(one[name], other[name]))
  );
}
