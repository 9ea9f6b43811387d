import type { TextAutomaton } from '../patterns/text-language.ts';
import { findEqualSchemas } from './equal-schemas.ts';
import { escapePointer, readSchemaAddresses } from './schema-addresses.ts';
import { isObject } from '../json-object.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** A schema at its place in the document. Each schema has one node, however often it is asked for. */
export interface SchemaNode {
  /** Names it shortly within its document. */
  readonly id: number;
  readonly path: string;
  readonly schema: boolean | SchemaObject;
  /** A limit on texts for which there is no keyword; only in schemas that nobody wrote. */
  readonly texts?: TextAutomaton;
  /** The same for numbers: what they must not be a multiple of. */
  readonly notMultipleOf?: number;
  /** The same for objects: one of its properties must be like this. */
  readonly someProperty?: SomeProperty;
}

export interface SomeProperty {
  /** Its name, as a text. */
  readonly names: SchemaNode;
  readonly value: SchemaNode;
}

export type SchemaObject = Readonly<Record<string, unknown>>;
export type NodeContent = Omit<SchemaNode, 'id' | 'path'>;

export interface SchemaDocument {
  readonly root: SchemaNode;
  /** The schema under a keyword, for example `child(node, 'properties', 'name')`. */
  child(node: SchemaNode, ...keys: readonly (string | number)[]): SchemaNode;
  /** A schema that nobody wrote. Its path says all about it: `contentOf` is asked once for each. */
  made(path: string, contentOf: () => NodeContent): SchemaNode;
  /** Whether a schema may be read as part of another one without its references changing their meaning. */
  readonly isOneResource: boolean;
  /** Follows the node's `$ref`, which must stay inside the document. */
  referenceOf(node: SchemaNode): SchemaNode | undefined;
}

const maxValues = 20_000;
const maxDepth = 100;

/** Throws `UnsupportedSchema` for a schema that is too large, too deep or not a schema. */
export function openSchemaDocument(schema: unknown): SchemaDocument {
  refuseOversized(schema);
  refuseOther('', schema);
  const addresses = readSchemaAddresses(schema);
  const originals = addresses.hasInner ? undefined : findEqualSchemas(schema, under);
  const references = new Map<unknown, SchemaNode>();
  const byPath = new Map<string, SchemaNode>();
  const byValue = new Map<unknown, SchemaNode>();
  const made = (path: string, contentOf: () => NodeContent): SchemaNode => {
    let node = byPath.get(path);
    if (node === undefined) {
      const content = contentOf();
      node = { id: byPath.size, path, ...content };
      byPath.set(path, node);
    }
    return node;
  };
  const written = (path: string, value: unknown): SchemaNode =>
    made(path, () => ({ schema: refuseOther(path, value) }));
  const nodeOf = (value: unknown, pathOf: () => string): SchemaNode => {
    // With addresses inside, a schema means what its place makes of it.
    if (originals === undefined || typeof value !== 'object') return written(pathOf(), value);
    let node = byValue.get(value);
    if (node === undefined) {
      const original = originals.get(value);
      node = original === undefined ? written(pathOf(), value) : written(original.path, original.schema);
      byValue.set(value, node);
    }
    return node;
  };
  return {
    root: written('', schema),
    isOneResource: !addresses.hasInner,
    made,
    child: (node, ...keys) => {
      const value = keys.reduce<unknown>((at, key) => memberOf(at, String(key)), node.schema);
      return nodeOf(value, () => keys.reduce<string>((path, key) => under(path, String(key)), node.path));
    },
    referenceOf: (node) => {
      const reference = objectOf(node)['$ref'];
      if (reference === undefined) return undefined;
      const known = originals === undefined ? undefined : references.get(reference);
      if (known !== undefined) return known;
      const pointer = typeof reference === 'string' ? addresses.pointerOf(reference, node.path) : undefined;
      if (pointer === undefined) {
        throw new UnsupportedSchema(
          '$ref',
          node.path,
          'must point into this schema, for example "#/$defs/name"',
        );
      }
      const found = nodeOf(valueAt(schema, pointer, node), () => pointer);
      references.set(reference, found);
      return found;
    },
  };
}

function under(path: string, key: string): string {
  return `${path}/${escapePointer(key)}`;
}

export function objectOf(node: SchemaNode): SchemaObject {
  return typeof node.schema === 'boolean' ? {} : node.schema;
}

/** Own members only: a property called "constructor" is not there unless somebody wrote it. */
export function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

function refuseOther(path: string, schema: unknown): SchemaNode['schema'] {
  if (typeof schema === 'boolean' || isObject(schema)) return schema;
  throw new UnsupportedSchema('', path, 'is not a schema: it must be an object, true or false');
}

function valueAt(root: unknown, pointer: string, node: SchemaNode): unknown {
  let value = root;
  for (const token of pointer.split('/').slice(1)) {
    value = memberOf(value, token.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (value === undefined)
      throw new UnsupportedSchema('$ref', node.path, `points to #${pointer}, which does not exist`);
  }
  return value;
}

function refuseOversized(schema: unknown): void {
  let layer: unknown[] = [schema];
  let count = 0;
  for (let depth = 0; layer.length > 0; depth += 1) {
    count += layer.length;
    if (depth > maxDepth)
      throw new UnsupportedSchema('', '', `is too complex: it nests more than ${maxDepth} levels deep`);
    if (count > maxValues)
      throw new UnsupportedSchema('', '', `is too complex: it has more than ${maxValues} values`);
    layer = layer.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
}
