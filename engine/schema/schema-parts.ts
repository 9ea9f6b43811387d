import { isObject } from '../json-object.ts';
import { memberOf, objectOf, type SchemaDocument, type SchemaNode } from './schema-document.ts';
import { listKeyword, namesUnder } from './schema-keywords.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** The schemas in a list keyword such as `anyOf`. */
export function listedSchemas(document: SchemaDocument, node: SchemaNode, keyword: string): SchemaNode[] {
  const list = listKeyword(node, keyword) ?? [];
  return list.map((_, index) => document.child(node, keyword, index));
}

export function schemaUnder(
  document: SchemaDocument,
  node: SchemaNode,
  keyword: string,
): SchemaNode | undefined {
  return objectOf(node)[keyword] === undefined ? undefined : document.child(node, keyword);
}

/** Whether it says more about a value than plain keywords do: by a reference, a choice, a condition or a dependency. */
export function combinesSchemas(node: SchemaNode): boolean {
  const schema = objectOf(node);
  return combining.some((keyword) => schema[keyword] !== undefined);
}

const combining: readonly string[] = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
];

export interface ArrayParts {
  readonly prefix: readonly SchemaNode[];
  /** For the items behind the prefix. */
  readonly rest: SchemaNode | undefined;
}

/** Both spellings of tuples: `prefixItems` with `items`, and the older `items: […]` with `additionalItems`. */
export function arrayParts(document: SchemaDocument, node: SchemaNode): ArrayParts {
  if (!Array.isArray(objectOf(node)['items'])) {
    return {
      prefix: listedSchemas(document, node, 'prefixItems'),
      rest: schemaUnder(document, node, 'items'),
    };
  }
  if (objectOf(node)['prefixItems'] !== undefined) {
    throw new UnsupportedSchema('items', node.path, 'must be a schema next to "prefixItems"');
  }
  return {
    prefix: listedSchemas(document, node, 'items'),
    rest: schemaUnder(document, node, 'additionalItems'),
  };
}

/** The schemas one schema object applies to a property: declared, by pattern, or as an additional one. */
export function schemasForProperty(
  document: SchemaDocument,
  node: SchemaNode,
  name: string,
  matches: (pattern: string, node: SchemaNode) => boolean,
): SchemaNode[] {
  const found: SchemaNode[] = [];
  if (memberOf(objectOf(node)['properties'], name) !== undefined)
    found.push(document.child(node, 'properties', name));
  for (const pattern of namesUnder(node, 'patternProperties')) {
    if (matches(pattern, node)) found.push(document.child(node, 'patternProperties', pattern));
  }
  const additional = schemaUnder(document, node, 'additionalProperties');
  if (found.length === 0 && additional !== undefined) found.push(additional);
  return found;
}

export interface Dependency {
  readonly name: string;
  readonly required: readonly string[];
  readonly schema: SchemaNode | undefined;
}

/** All spellings: `dependentRequired`, `dependentSchemas`, and the older `dependencies` for both. */
export function dependenciesOf(document: SchemaDocument, node: SchemaNode): readonly Dependency[] {
  return ['dependencies', 'dependentRequired', 'dependentSchemas'].flatMap((keyword) =>
    namesUnder(node, keyword).map((name) => {
      const value = memberOf(objectOf(node)[keyword], name);
      const names: readonly unknown[] = Array.isArray(value) ? value : [];
      if (!names.every((one) => typeof one === 'string'))
        throw new UnsupportedSchema(keyword, node.path, 'must list names');
      return {
        name,
        required: names,
        schema: Array.isArray(value) ? undefined : document.child(node, keyword, name),
      };
    }),
  );
}

/** The first list may be there when it says nothing (`{}` or `true`); the second may not be there at all. */
export function refuseKeywords(
  node: SchemaNode,
  unlessTrivial: readonly string[],
  always: readonly string[] = [],
): void {
  const schema = objectOf(node);
  const isTrivial = (value: unknown) =>
    value === true || (isObject(value) && Object.keys(value).length === 0);
  const refused =
    unlessTrivial.find((keyword) => schema[keyword] !== undefined && !isTrivial(schema[keyword])) ??
    always.find((keyword) => schema[keyword] !== undefined);
  if (refused !== undefined) throw new UnsupportedSchema(refused, node.path, 'is not supported');
}
