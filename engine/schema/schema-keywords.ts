import { isObject } from '../json-object.ts';
import { objectOf, type SchemaNode } from './schema-document.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** Typed reading of keyword values: what is not as the specification says is refused, never guessed. */
export function numberKeyword(node: SchemaNode, keyword: string): number | undefined {
  const value = objectOf(node)[keyword];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new UnsupportedSchema(keyword, node.path, 'must be a number');
  return value;
}

/** The value when it is a count; large counts mean "no limit in practice" to an upper bound. */
export function countKeyword(node: SchemaNode, keyword: string): number | undefined {
  const value = numberKeyword(node, keyword);
  if (value === undefined) return undefined;
  if (!Number.isInteger(value) || value < 0) {
    throw new UnsupportedSchema(keyword, node.path, 'must be a whole number that is not negative');
  }
  return value;
}

export function stringKeyword(node: SchemaNode, keyword: string): string | undefined {
  const value = objectOf(node)[keyword];
  if (value === undefined || typeof value === 'string') return value;
  throw new UnsupportedSchema(keyword, node.path, 'must be a string');
}

export function listKeyword(node: SchemaNode, keyword: string): readonly unknown[] | undefined {
  const value = objectOf(node)[keyword];
  if (value === undefined || Array.isArray(value)) return value;
  throw new UnsupportedSchema(keyword, node.path, 'must be an array');
}

/** The names in a keyword whose value maps names to schemas. */
export function namesUnder(node: SchemaNode, keyword: string): readonly string[] {
  const value = objectOf(node)[keyword];
  if (value === undefined) return [];
  if (!isObject(value)) throw new UnsupportedSchema(keyword, node.path, 'must be an object');
  return Object.keys(value);
}

export function stringListKeyword(node: SchemaNode, keyword: string): readonly string[] {
  const values = listKeyword(node, keyword) ?? [];
  if (values.every((value) => typeof value === 'string')) return values;
  throw new UnsupportedSchema(keyword, node.path, 'must be an array of strings');
}

export type JsonType = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'integer' | 'string';
const jsonTypes: readonly string[] = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

/** Undefined when any type goes. `nullable` is OpenAPI's way to add null. */
export function typesOf(node: SchemaNode): ReadonlySet<JsonType> | undefined {
  const { type, nullable } = objectOf(node);
  if (type === undefined) return undefined;
  const names: unknown[] = Array.isArray(type) ? type : [type];
  const isType = (name: unknown): name is JsonType => typeof name === 'string' && jsonTypes.includes(name);
  if (names.length === 0 || !names.every(isType)) {
    throw new UnsupportedSchema('type', node.path, `must name JSON types: ${jsonTypes.join(', ')}`);
  }
  return new Set(nullable === true ? [...names, 'null'] : names);
}
