import { distinctItems } from '../grammar/distinct-items.ts';
import type { Expression } from '../grammar/expression.ts';
import type { JsonText } from '../grammar/json-text.ts';
import { objectOf } from './schema-document.ts';
import type { ArrayShape } from './shape.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** Sets: what was written is remembered by its text, so each value must have one spelling, which `itemOf` sees to. */
export function uniqueItems(
  shape: ArrayShape,
  json: JsonText,
  itemOf: (shape: ArrayShape) => Expression,
): Expression {
  const { prefix, contains, minItems, maxItems } = shape;
  if (minItems > 1) refuseUnique(shape, 'is not supported together with "minItems" above 1');
  if (prefix.length > 0 || contains.length > 0)
    refuseUnique(shape, 'is not supported together with "prefixItems" or "contains"');
  const item = itemOf(shape);
  return distinctItems({ item, mayBeEmpty: minItems === 0, maxItems, allowSpaces: json.allowSpaces });
}

export function refuseUnique({ sources }: ArrayShape, reason: string): never {
  const said = sources.find((node) => objectOf(node)['uniqueItems'] === true) ?? sources[0];
  throw new UnsupportedSchema('uniqueItems', said?.path ?? '', reason);
}
