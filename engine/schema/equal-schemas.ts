import { isObject } from '../json-object.ts';
import type { SchemaObject } from './schema-document.ts';

/** A schema that says the same as another one, with the place of the first that does. */
export interface Original {
  readonly path: string;
  readonly schema: SchemaObject;
}

/**
 * Finds for each schema of a document the first one that allows the same values because it says the same. Large
 * schemas repeat themselves, and what is equal is then worked out once. Only for documents in which a reference
 * means the same everywhere.
 */
export function findEqualSchemas(
  root: unknown,
  pathOf: (path: string, key: string) => string,
): ReadonlyMap<unknown, Original> {
  const originals = new Map<unknown, Original>();
  const byMeaning = new Map<string, { readonly number: number; readonly original: Original }>();

  /** Names the meaning: equal names, equal meaning. */
  const meaningOf = (schema: unknown, path: string): string => {
    if (!isObject(schema)) return JSON.stringify(schema);
    const parts: string[] = [];
    for (const [keyword, value] of Object.entries(schema)) {
      if (annotations.has(keyword)) continue;
      const read = readers.get(keyword);
      const said = read === undefined ? JSON.stringify(value) : read(value, pathOf(path, keyword));
      parts.push(`${JSON.stringify(keyword)}:${said}`);
    }
    const key = parts.join(',');
    let known = byMeaning.get(key);
    if (known === undefined) {
      known = { number: byMeaning.size, original: { path, schema } };
      byMeaning.set(key, known);
    }
    originals.set(schema, known.original);
    return `#${known.number}`;
  };
  const listOf = (value: unknown, path: string): string =>
    Array.isArray(value)
      ? `[${value.map((one, index) => meaningOf(one, pathOf(path, String(index)))).join(',')}]`
      : meaningOf(value, path);
  const namesOf = (value: unknown, path: string): string =>
    isObject(value)
      ? `{${Object.entries(value)
          .map(([name, one]) => `${JSON.stringify(name)}:${meaningOf(one, pathOf(path, name))}`)
          .join(',')}}`
      : JSON.stringify(value);
  const readers = new Map([
    ...holdOneOrMore.map((keyword) => [keyword, listOf] as const),
    ...holdNamed.map((keyword) => [keyword, namesOf] as const),
  ]);

  meaningOf(root, '');
  return originals;
}

/** Keywords that say nothing about values. */
const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'example',
  '$comment',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

const holdOneOrMore = [
  'items',
  'prefixItems',
  'additionalItems',
  'additionalProperties',
  'propertyNames',
  'contains',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
];
const holdNamed = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];
