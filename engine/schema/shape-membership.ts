import { isObject } from '../json-object.ts';
import { memberOf, type SchemaNode } from './schema-document.ts';
import { decimalOf, unitsAtMost } from '../grammar/decimal.ts';
import type {
  ArrayShape,
  Conjunction,
  FreeNames,
  NumberShape,
  ObjectShape,
  Shape,
  StringShape,
} from './shape.ts';
import { includesText } from '../patterns/text-language.ts';

type Check = (value: unknown, node: SchemaNode) => boolean;

/** Whether a shape may be written as this value. Looks at the shape alone, not at what its schemas exclude. */
export function shapeIncludes(shape: Shape, value: unknown, satisfies: Check): boolean {
  const meets = (item: unknown, conjunction: Conjunction) =>
    conjunction.every((node) => satisfies(item, node));
  switch (shape.kind) {
    case 'literal':
      return JSON.stringify(shape.value) === JSON.stringify(value);
    case 'number':
      return typeof value === 'number' && includesNumber(shape, value);
    case 'string':
      return typeof value === 'string' && includesString(shape, value);
    case 'array':
      return Array.isArray(value) && includesArray(shape, value, meets);
    default:
      return isObject(value) && includesObject(shape, value, meets);
  }
}

function includesNumber({ range }: NumberShape, value: number): boolean {
  if (decimalOf(value).decimals > range.decimals) return false;
  const units = unitsAtMost(value, range.decimals);
  if (range.except !== undefined && units % range.except === 0n) return false;
  return units >= range.minimum && units <= range.maximum && units % range.step === 0n;
}

function includesString({ language, minLength, maxLength }: StringShape, value: string): boolean {
  const length = Array.from(value).length;
  return (
    length >= minLength && length <= maxLength && (language === undefined || includesText(language, value))
  );
}

type Meets = (item: unknown, conjunction: Conjunction) => boolean;

function includesArray(
  { prefix, rest, minItems, maxItems }: ArrayShape,
  values: readonly unknown[],
  meets: Meets,
): boolean {
  if (values.length < minItems || values.length > maxItems) return false;
  return values.every((value, index) => meets(value, prefix[index] ?? rest));
}

function includesObject(shape: ObjectShape, value: Readonly<Record<string, unknown>>, meets: Meets): boolean {
  const names = Object.keys(value);
  if (![...shape.required].every((name) => names.includes(name))) return false;
  return names.every((name) => {
    const declared = shape.properties.get(name);
    if (declared !== undefined) return meets(memberOf(value, name), declared);
    return shape.freeKeys.some(({ names }) => includesName(names, name));
  });
}

function includesName(names: FreeNames, name: string): boolean {
  switch (names.kind) {
    case 'any':
      return true;
    case 'other-than':
      return !names.declared.includes(name);
    default:
      return includesText(names.language, name);
  }
}
