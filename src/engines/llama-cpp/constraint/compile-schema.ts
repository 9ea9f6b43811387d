import type { Expression } from './expression.ts';
import type { JsonText } from './json-text.ts';
import { createAnyJson } from './any-json.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** Throws `UnsupportedSchema`. */
export function compileSchema(schema: unknown, json: JsonText, maxDepth: number): Expression {
  if (schema === true) return createAnyJson(json, maxDepth).value;
  throw new UnsupportedSchema('', '', 'is not supported yet');
}
