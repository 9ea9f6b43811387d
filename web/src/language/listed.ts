import type { LanguageTag } from './languages.ts';

/** Names in a row, with the comma of the language. */
export function listed(names: readonly string[], tag: LanguageTag): string {
  // Latin names among Arabic words would otherwise stand in the order of Latin.
  const written = tag === 'ar' ? names.map((name) => `\u2068${name}\u2069`) : names;
  return written.join(commas[tag] ?? ', ');
}

const commas: Partial<Record<LanguageTag, string>> = { ar: '، ', zh: '、' };
