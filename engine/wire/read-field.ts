import { Refusal } from '#vocabulary/refusal';
import { isObject, type JsonObject } from '../json-object.ts';

/** Reading a JSON body field by field. `null` is the same as absent; anything odd is refused by name. */

export function wrong(param: string, sentence: string): Refusal {
  return new Refusal('invalid_parameter', sentence, { param });
}

export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
  /** The lower bound itself is not allowed. */
  readonly isMinExcluded?: boolean;
}

export function readNumber(body: JsonObject, name: string, range: NumberRange = {}): number | undefined {
  const value = body[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(name, `"${name}" must be a number.`);
  const { min = -Infinity, max = Infinity, isMinExcluded = false } = range;
  if (value < min || value > max || (isMinExcluded && value === min)) {
    throw wrong(name, `"${name}" must be ${describeRange(min, max, isMinExcluded)}, not ${value}.`);
  }
  return value;
}

function describeRange(min: number, max: number, isMinExcluded: boolean): string {
  const lower = isMinExcluded ? `greater than ${min}` : `at least ${min}`;
  if (max === Infinity) return lower;
  if (min === -Infinity) return `at most ${max}`;
  return `${lower} and at most ${max}`;
}

export function readInteger(body: JsonObject, name: string, range: NumberRange = {}): number | undefined {
  const value = readNumber(body, name, range);
  if (value !== undefined && !Number.isInteger(value)) throw wrong(name, `"${name}" must be a whole number.`);
  return value;
}

export function readBoolean(body: JsonObject, name: string): boolean | undefined {
  const value = body[name] ?? undefined;
  if (value !== undefined && typeof value !== 'boolean') {
    throw wrong(name, `"${name}" must be true or false.`);
  }
  return value;
}

export function readString(body: JsonObject, name: string): string | undefined {
  const value = body[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw wrong(name, `"${name}" must be a string.`);
  return value;
}

export function readObject(body: JsonObject, name: string): JsonObject | undefined {
  const value = body[name] ?? undefined;
  if (value !== undefined && !isObject(value)) throw wrong(name, `"${name}" must be an object.`);
  return value;
}

export function readArray(body: JsonObject, name: string): readonly unknown[] | undefined {
  const value = body[name] ?? undefined;
  if (value !== undefined && !Array.isArray(value)) throw wrong(name, `"${name}" must be an array.`);
  return value;
}
