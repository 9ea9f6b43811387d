/** Reading of what somebody else wrote: a wrong type is as good as nothing. */

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Milliseconds, whichever unit it was written in; or a date in words of ISO 8601. */
export function momentOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return momentOf(Date.parse(value));
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return undefined;
  const seconds =
    number > 1e17 ? number / 1e9 : number > 1e14 ? number / 1e6 : number > 1e11 ? number / 1e3 : number;
  return Math.floor(seconds * 1000);
}
