/** A finite double as the decimal that people mean by it: digits × 10^-decimals, the shortest that reads back the same. */
export interface Decimal {
  readonly digits: bigint;
  readonly decimals: number;
}

export function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  const decimals = fraction.length - Number(exponent);
  return decimals < 0 ? { digits: digits * 10n ** BigInt(-decimals), decimals: 0 } : { digits, decimals };
}

/** The value in units of 10^-decimals, rounded towards plus infinity. */
export function unitsAtLeast(value: number, decimals: number): bigint {
  return -unitsAtMost(-value, decimals);
}

/** The value in units of 10^-decimals, rounded towards minus infinity. */
export function unitsAtMost(value: number, decimals: number): bigint {
  const decimal = decimalOf(value);
  if (decimal.decimals <= decimals) return decimal.digits * 10n ** BigInt(decimals - decimal.decimals);
  const divisor = 10n ** BigInt(decimal.decimals - decimals);
  const quotient = decimal.digits / divisor;
  return decimal.digits < 0n && quotient * divisor !== decimal.digits ? quotient - 1n : quotient;
}

/** The next larger double. What is at least this, in decimal digits, is also larger than `value` once it is read. */
export function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

export function isMultiple(value: number, divisor: number): boolean {
  const [one, other] = [decimalOf(value), decimalOf(divisor)];
  const decimals = Math.max(one.decimals, other.decimals);
  return unitsAtMost(value, decimals) % unitsAtMost(divisor, decimals) === 0n;
}

export function leastCommonMultiple(one: bigint, other: bigint): bigint {
  let [rest, divisor] = [one, other];
  while (divisor !== 0n) [rest, divisor] = [divisor, rest % divisor];
  return (one / rest) * other;
}
