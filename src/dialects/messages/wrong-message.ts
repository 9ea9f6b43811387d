import { isObject, type JsonObject } from '#dialects/json-object';
import { Refusal } from '#vocabulary/refusal';

/** What a Messages request may not say, and where it says it. */
export function wrong(param: string, message: string): Refusal {
  return new Refusal('invalid_parameter', message, { param });
}

/** For what the dialect has and this service has not. */
export function notOffered(param: string, message: string): Refusal {
  return new Refusal('unsupported_parameter', message, { param });
}

export function requireObject(value: unknown, param: string): JsonObject {
  if (isObject(value)) return value;
  throw wrong(param, `"${param}" must be an object.`);
}

export function requireText(value: unknown, param: string): string {
  if (typeof value === 'string') return value;
  throw wrong(param, `"${param}" must be a text.`);
}

/** A word of the caller's, short enough to be repeated to them. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value.slice(0, 64)}"` : 'nothing';
}
