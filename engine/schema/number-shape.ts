import { decimalOf, leastCommonMultiple, nextUp, unitsAtLeast, unitsAtMost } from '../grammar/decimal.ts';
import { isEmptyRange, type NumberRange, widestInteger, widestNumber } from '../grammar/number-automaton.ts';
import { objectOf, type SchemaNode } from './schema-document.ts';
import { numberKeyword } from './schema-keywords.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** Units with at most this many digits survive being read as a double, so that multiples stay multiples. */
const largestExactUnits = 10n ** 15n;

/** Puts all bounds together; undefined when no number meets them. Throws when only numbers beyond our digits do. */
export function numberRangeOf(sources: readonly SchemaNode[], isInteger: boolean): NumberRange | undefined {
  if (!sources.some(limitsNumbers)) return isInteger ? widestInteger : widestNumber;
  const divisors = collect(sources, 'multipleOf').map(([divisor, node]) => {
    if (divisor <= 0) throw new UnsupportedSchema('multipleOf', node.path, 'must be larger than zero');
    return decimalOf(divisor);
  });
  const divisorDecimals = divisors.reduce((most, divisor) => Math.max(most, divisor.decimals), 0);
  const divisorUnits = divisors
    .map((divisor) => divisor.digits * 10n ** BigInt(divisorDecimals - divisor.decimals))
    .reduce(leastCommonMultiple, 1n);
  const excluded = sources.flatMap(({ notMultipleOf }) =>
    notMultipleOf === undefined ? [] : [notMultipleOf],
  );
  const widest = isInteger ? widestInteger : excluded.length > 0 ? fewDecimals : widestNumber;
  const decimals = !isInteger && divisors.length > 0 ? divisorDecimals : widest.decimals;
  const except = exceptionOf(excluded, decimals, sources);
  const step = isInteger
    ? leastCommonMultiple(divisorUnits, 10n ** BigInt(divisorDecimals)) / 10n ** BigInt(divisorDecimals)
    : divisors.length > 0
      ? divisorUnits
      : 1n;

  const [least, most] = boundsOf(sources);
  if (least > most) return undefined;
  const limit =
    divisors.length + excluded.length > 0 && decimals > 0
      ? largestExactUnits
      : widestInteger.maximum * 10n ** BigInt(decimals);
  const minimum = least === -Infinity ? -limit : larger(unitsAtLeast(least, decimals), -limit);
  const maximum = most === Infinity ? limit : smaller(unitsAtMost(most, decimals), limit);
  const range = { decimals, minimum, maximum, step, ...(except !== undefined && { except }) };
  if (!isEmptyRange(range)) return range;
  if (except !== undefined && step % except === 0n) return undefined;
  if (isInteger && least > -Number.MAX_SAFE_INTEGER && most < Number.MAX_SAFE_INTEGER) return undefined;
  const [keyword, path] = boundIn(sources);
  throw new UnsupportedSchema(keyword, path, 'leaves only numbers with more digits than are supported');
}

function limitsNumbers(node: SchemaNode): boolean {
  const schema = objectOf(node);
  return (
    node.notMultipleOf !== undefined ||
    schema['format'] === 'int32' ||
    numberKeywords.some((keyword) => schema[keyword] !== undefined)
  );
}

const numberKeywords = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'];

/** Numbers that must miss something are written with so few digits that they still miss it when read as a double. */
const fewDecimals = { decimals: 6 };

/** In units. Of several the one whose multiples include those of all others. */
function exceptionOf(
  excluded: readonly number[],
  decimals: number,
  sources: readonly SchemaNode[],
): bigint | undefined {
  const units = excluded.map((divisor) => {
    const { digits, decimals: own } = decimalOf(divisor);
    if (own <= decimals) return digits * 10n ** BigInt(decimals - own);
    const shift = 10n ** BigInt(own - decimals);
    return leastCommonMultiple(digits, shift) / shift;
  });
  const widest = units.find((one) => units.every((other) => other % one === 0n));
  if (units.length > 0 && widest === undefined)
    throw new UnsupportedSchema('not', sources[0]?.path ?? '', 'excludes multiples of different numbers');
  return widest;
}

function boundsOf(sources: readonly SchemaNode[]): [least: number, most: number] {
  const isShort = sources.some((node) => objectOf(node)['format'] === 'int32');
  const atLeast = [...values(sources, 'minimum'), ...values(sources, 'exclusiveMinimum').map(nextUp)];
  const below = values(sources, 'exclusiveMaximum').map((bound) => -nextUp(-bound));
  const atMost = [...values(sources, 'maximum'), ...below];
  return [
    Math.max(isShort ? -(2 ** 31) : -Infinity, ...atLeast),
    Math.min(isShort ? 2 ** 31 - 1 : Infinity, ...atMost),
  ];
}

function boundIn(sources: readonly SchemaNode[]): [keyword: string, path: string] {
  for (const keyword of numberKeywords) {
    const [first] = collect(sources, keyword);
    if (first !== undefined) return [keyword, first[1].path];
  }
  return ['type', sources[0]?.path ?? ''];
}

function collect(sources: readonly SchemaNode[], keyword: string): [number, SchemaNode][] {
  return sources.flatMap((node) => {
    const value = numberKeyword(node, keyword);
    return value === undefined ? [] : [[value, node] as [number, SchemaNode]];
  });
}

function values(sources: readonly SchemaNode[], keyword: string): number[] {
  return collect(sources, keyword).map(([value]) => value);
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
