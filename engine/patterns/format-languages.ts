import { compilePattern } from './pattern-automaton.ts';
import { textFormats } from './text-formats.ts';
import type { TextAutomaton } from './text-language.ts';

/** Formats are the same in every schema: each is compiled once, when it is first asked for. */
const compiled = new Map<string, TextAutomaton>();

/** Undefined for names that limit nothing. */
export function formatLanguage(format: string): TextAutomaton | undefined {
  const pattern = textFormats.get(format);
  if (pattern === undefined) return undefined;
  let language = compiled.get(format);
  if (language === undefined) {
    language = compilePattern(pattern, { left: Infinity });
    compiled.set(format, language);
  }
  return language;
}
