import { compilePattern } from './pattern-automaton.ts';
import { textFormats, textFormatsAtWidest } from './text-formats.ts';
import type { TextAutomaton } from './text-language.ts';

/** What is written of a format. Undefined for names that limit nothing. */
export const formatLanguage = languagesOf(textFormats);
/** What somebody may take for a format. Undefined where that may be any text. */
export const widestFormatLanguage = languagesOf(textFormatsAtWidest);

/** Formats are the same in every schema: each is compiled once, when it is first asked for. */
function languagesOf(patterns: ReadonlyMap<string, string>): (format: string) => TextAutomaton | undefined {
  const compiled = new Map<string, TextAutomaton>();
  return (format) => {
    const pattern = patterns.get(format);
    if (pattern === undefined) return undefined;
    const language = compiled.get(format) ?? compilePattern(pattern, { left: Infinity });
    compiled.set(format, language);
    return language;
  };
}
