import type { SchemaNode } from './schema-document.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/**
 * Refuses schemas that lead back to themselves for one and the same value: whether it is valid would never be
 * decided. To come back in a part of the value, such as a property, is the usual way to nest and fine.
 */
export function createEndlessCheck(
  forTheSameValue: (node: SchemaNode) => Iterable<SchemaNode>,
): (node: SchemaNode) => void {
  const known = new Set<SchemaNode>();
  const open = new Set<SchemaNode>();

  const check = (node: SchemaNode): void => {
    if (known.has(node)) return;
    if (open.has(node) || open.size > maxChain)
      throw new UnsupportedSchema('$ref', node.path, 'refers to itself without end');
    open.add(node);
    for (const next of forTheSameValue(node)) check(next);
    open.delete(node);
    known.add(node);
  };
  return check;
}

const maxChain = 1_000;
