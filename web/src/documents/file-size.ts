import { useLanguageTag } from '../language/language.tsx';

/** `3.4 MB`, as people write it. */
export function useFileSize(bytes: number): string {
  const tag = useLanguageTag();
  const [unit, divisor] =
    bytes < 1000
      ? (['byte', 1] as const)
      : bytes < 1e6
        ? (['kilobyte', 1e3] as const)
        : (['megabyte', 1e6] as const);
  return new Intl.NumberFormat(tag, {
    style: 'unit',
    unit,
    unitDisplay: bytes < 1000 ? 'long' : 'short',
    maximumFractionDigits: bytes < 1e6 ? 0 : 1,
  }).format(bytes / divisor);
}
