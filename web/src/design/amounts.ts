/** Numbers as people read them. */

export function bytesInWords(bytes: number, tag: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(tag, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}

/** Milliseconds below a second, seconds below two minutes, then minutes. */
export function durationInWords(ms: number, tag: string): string {
  const [amount, unit, digits] =
    ms < 1000
      ? ([ms, 'millisecond', 0] as const)
      : ms < 120_000
        ? ([ms / 1000, 'second', ms < 10_000 ? 1 : 0] as const)
        : ([ms / 60_000, 'minute', 0] as const);
  return new Intl.NumberFormat(tag, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(amount);
}

export function shareInWords(share: number, tag: string, digits = 0): string {
  return new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: digits }).format(share);
}
