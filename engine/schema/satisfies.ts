import { isObject } from '../json-object.ts';
import { isMultiple } from '../grammar/decimal.ts';
import { memberOf, objectOf, type SchemaDocument, type SchemaNode } from './schema-document.ts';
import { countKeyword, numberKeyword, stringListKeyword, typesOf } from './schema-keywords.ts';
import {
  arrayParts,
  combinesSchemas,
  dependenciesOf,
  listedSchemas,
  refuseKeywords,
  schemasForProperty,
  schemaUnder,
} from './schema-parts.ts';
import { includesText } from '../patterns/text-language.ts';
import type { Certainty, TextRules } from './text-rules.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

export type ValueCheck = (value: unknown, node: SchemaNode, certainty?: Certainty) => boolean;

/**
 * Whether one known value satisfies a schema: surely, which is the default, or perhaps, because validators differ
 * about formats. Exact otherwise; needed where values are listed (`const`, `enum`).
 */
export function createValueCheck(document: SchemaDocument, rules: TextRules): ValueCheck {
  const maxDepth = 256;
  let depth = 0;

  const satisfies = (value: unknown, node: SchemaNode, certainty: Certainty = 'surely'): boolean => {
    if (typeof node.schema === 'boolean') return node.schema;
    depth += 1;
    if (depth > maxDepth) throw new UnsupportedSchema('$ref', node.path, 'refers to itself without end');
    try {
      return (
        (!combinesSchemas(node) || satisfiesApplicators(value, node, certainty)) &&
        satisfiesOwn(value, node, certainty)
      );
    } finally {
      depth -= 1;
    }
  };

  const known = new Map<SchemaNode, Applicators>();
  const applicatorsOf = (node: SchemaNode): Applicators => {
    let applicators = known.get(node);
    if (applicators === undefined) {
      applicators = readApplicators(document, node);
      known.set(node, applicators);
    }
    return applicators;
  };

  const satisfiesApplicators = (value: unknown, node: SchemaNode, certainty: Certainty): boolean => {
    const { all, anyOf, oneOf, not, condition, consequence, otherwise } = applicatorsOf(node);
    const holds = (one: SchemaNode) => satisfies(value, one, certainty);
    const fails = (one: SchemaNode) => !satisfies(value, one, certainty === 'surely' ? 'perhaps' : 'surely');
    if (!all.every(holds)) return false;
    if (anyOf.length > 0 && !anyOf.some(holds)) return false;
    const isTheOnly = (one: SchemaNode, index: number) =>
      holds(one) && oneOf.toSpliced(index, 1).every(fails);
    if (oneOf.length > 0 && !oneOf.some(isTheOnly)) return false;
    if (not !== undefined && !fails(not)) return false;
    if (condition === undefined) return true;
    const holdsThen = consequence === undefined || holds(consequence);
    const holdsElse = otherwise === undefined || holds(otherwise);
    if (certainty === 'perhaps') return (holds(condition) && holdsThen) || (fails(condition) && holdsElse);
    return (holdsThen || fails(condition)) && (holdsElse || holds(condition));
  };

  const satisfiesOwn = (value: unknown, node: SchemaNode, certainty: Certainty): boolean => {
    const types = typesOf(node);
    if (types !== undefined && !typeNames(value).some((name) => types.has(name))) return false;
    const { const: constant, enum: values } = objectOf(node);
    if (constant !== undefined && !isSameValue(constant, value)) return false;
    if (Array.isArray(values) && !values.includes(value) && !values.some((one) => isSameValue(one, value)))
      return false;
    if (typeof value === 'number') return satisfiesNumber(value, node);
    if (typeof value === 'string') return satisfiesText(value, node, certainty);
    if (Array.isArray(value)) return satisfiesArray(value, node, certainty);
    return isObject(value) ? satisfiesObject(value, node, certainty) : true;
  };

  const satisfiesText = (value: string, node: SchemaNode, certainty: Certainty): boolean => {
    const length = Array.from(value).length;
    if (
      length < (countKeyword(node, 'minLength') ?? 0) ||
      length > (countKeyword(node, 'maxLength') ?? Infinity)
    )
      return false;
    return rules.languagesOf(node, certainty).every((language) => includesText(language, value));
  };

  const satisfiesArray = (values: readonly unknown[], node: SchemaNode, certainty: Certainty): boolean => {
    refuseKeywords(node, ['unevaluatedItems']);
    const tooFew = values.length < (countKeyword(node, 'minItems') ?? 0);
    if (tooFew || values.length > (countKeyword(node, 'maxItems') ?? Infinity)) return false;
    const contains = schemaUnder(document, node, 'contains');
    if (contains !== undefined) {
      const count = (sure: Certainty) => values.filter((value) => satisfies(value, contains, sure)).length;
      if (count(certainty) < (countKeyword(node, 'minContains') ?? 1)) return false;
      const opposite = certainty === 'surely' ? 'perhaps' : 'surely';
      if (count(opposite) > (countKeyword(node, 'maxContains') ?? Infinity)) return false;
    }
    const { prefix, rest } = arrayParts(document, node);
    const isUnique = values.every(
      (value, index) => !values.slice(0, index).some((other) => isSameValue(value, other)),
    );
    if (objectOf(node)['uniqueItems'] === true && !isUnique) return false;
    return values.every((value, index) => {
      const schema = prefix[index] ?? rest;
      return schema === undefined || satisfies(value, schema, certainty);
    });
  };

  const satisfiesObject = (
    value: Readonly<Record<string, unknown>>,
    node: SchemaNode,
    certainty: Certainty,
  ): boolean => {
    refuseKeywords(node, ['unevaluatedProperties']);
    const names = Object.keys(value);
    const isBroken = dependenciesOf(document, node).some(
      ({ name, required, schema }) =>
        names.includes(name) &&
        !(
          required.every((other) => names.includes(other)) &&
          (schema === undefined || satisfies(value, schema, certainty))
        ),
    );
    if (isBroken) return false;
    const tooFew = names.length < (countKeyword(node, 'minProperties') ?? 0);
    if (tooFew || names.length > (countKeyword(node, 'maxProperties') ?? Infinity)) return false;
    if (!stringListKeyword(node, 'required').every((name) => names.includes(name))) return false;
    const sought = node.someProperty;
    const isFound = (name: string) =>
      sought === undefined ||
      (satisfies(name, sought.names, certainty) && satisfies(memberOf(value, name), sought.value, certainty));
    if (sought !== undefined && !names.some(isFound)) return false;
    const propertyNames = schemaUnder(document, node, 'propertyNames');
    if (propertyNames !== undefined && !names.every((name) => satisfies(name, propertyNames, certainty)))
      return false;
    return names.every((name) => {
      const matches = (pattern: string) =>
        includesText(rules.compile(pattern, 'patternProperties', node), name);
      const schemas = schemasForProperty(document, node, name, matches);
      return schemas.every((schema) => satisfies(memberOf(value, name), schema, certainty));
    });
  };

  return satisfies;
}

/** The schemas that one schema asks to hold, or not, for the same value. */
interface Applicators {
  readonly all: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
  readonly condition: SchemaNode | undefined;
  readonly consequence: SchemaNode | undefined;
  readonly otherwise: SchemaNode | undefined;
}

function readApplicators(document: SchemaDocument, node: SchemaNode): Applicators {
  const reference = document.referenceOf(node);
  const all = [...(reference === undefined ? [] : [reference]), ...listedSchemas(document, node, 'allOf')];
  const [anyOf = [], oneOf = []] = ['anyOf', 'oneOf'].map((name) => listedSchemas(document, node, name));
  const [not, condition, consequence, otherwise] = ['not', 'if', 'then', 'else'].map((name) =>
    schemaUnder(document, node, name),
  );
  return { all, anyOf, oneOf, not, condition, consequence, otherwise };
}

function satisfiesNumber(value: number, node: SchemaNode): boolean {
  const divisor = numberKeyword(node, 'multipleOf');
  return (
    value >= (numberKeyword(node, 'minimum') ?? -Infinity) &&
    value <= (numberKeyword(node, 'maximum') ?? Infinity) &&
    value > (numberKeyword(node, 'exclusiveMinimum') ?? -Infinity) &&
    value < (numberKeyword(node, 'exclusiveMaximum') ?? Infinity) &&
    (divisor === undefined || isMultiple(value, divisor)) &&
    (node.notMultipleOf === undefined || !isMultiple(value, node.notMultipleOf))
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
