import { isObject, type JsonObject } from '../json-object.ts';
import { readObject, wrong } from '../wire/read-field.ts';

/** The shape asked for by `response_format`; undefined is free text. */
export type AnswerShape =
  | { readonly kind: 'any-object' }
  /** As with OpenAI, only where the caller says so. */
  | { readonly kind: 'schema'; readonly schema: unknown; readonly isStrict: boolean };

export function readShape(body: JsonObject): AnswerShape | undefined {
  const format = readObject(body, 'response_format');
  if (format === undefined || format['type'] === 'text') return undefined;
  if (format['type'] === 'json_object') return { kind: 'any-object' };
  if (format['type'] !== 'json_schema') {
    throw wrong('response_format.type', '"response_format.type" must be text, json_object or json_schema.');
  }
  const holder = format['json_schema'];
  if (!isObject(holder) || holder['schema'] === undefined) {
    throw wrong('response_format.json_schema', 'Send the schema in "response_format.json_schema.schema".');
  }
  return { kind: 'schema', schema: holder['schema'], isStrict: holder['strict'] === true };
}
