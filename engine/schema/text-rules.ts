import { compilePattern } from '../patterns/pattern-automaton.ts';
import { UnsupportedPattern } from '../patterns/pattern-syntax.ts';
import type { SchemaNode } from './schema-document.ts';
import { stringKeyword } from './schema-keywords.ts';
import { formatLanguage, widestFormatLanguage } from '../patterns/format-languages.ts';
import { refuseTooComplex } from './refuse-too-complex.ts';
import { differenceOf, intersectionOf, type TextAutomaton } from '../patterns/text-language.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** Validators differ about formats: what all take, or what some take. */
export type Certainty = 'surely' | 'perhaps';

/** What `pattern` and `format` of a schema say about texts. Each pattern is compiled once. */
export interface TextRules {
  /** `surely`: texts that satisfy the schema for everybody; `perhaps`: all that satisfy it for anybody. */
  languagesOf(node: SchemaNode, certainty: Certainty): readonly TextAutomaton[];
  compile(pattern: string, keyword: string, node: SchemaNode): TextAutomaton;
  /** The texts of both. */
  meet(
    one: TextAutomaton,
    other: TextAutomaton,
    keyword: string,
    node: SchemaNode | undefined,
  ): TextAutomaton;
  /** The texts of `one` without those of `other`. */
  without(
    one: TextAutomaton,
    other: TextAutomaton,
    keyword: string,
    node: SchemaNode | undefined,
  ): TextAutomaton;
}

/** Steps that all patterns of one schema may take together. */
const maxPatternWork = 3_000_000;
/** States that all combinations of texts in one schema may have together. */
const maxCombinedStates = 60_000;

export function createTextRules(): TextRules {
  const compiled = new Map<string, TextAutomaton>();

  const work = { left: maxPatternWork };
  let combinedStates = 0;

  const compile = (pattern: string, keyword: string, node: SchemaNode): TextAutomaton => {
    let language = compiled.get(pattern);
    if (language !== undefined) return language;
    try {
      language = refuseTooComplex(node, () => compilePattern(pattern, work), keyword);
    } catch (error) {
      if (error instanceof UnsupportedPattern) throw new UnsupportedSchema(keyword, node.path, error.message);
      throw error;
    }
    compiled.set(pattern, language);
    return language;
  };

  /** The same two are often put together again. */
  const once = (combine: (one: TextAutomaton, other: TextAutomaton) => TextAutomaton): TextRules['meet'] => {
    const known = new Map<TextAutomaton, Map<TextAutomaton, TextAutomaton>>();
    return (one, other, keyword, node) => {
      const withOne = known.get(one) ?? new Map<TextAutomaton, TextAutomaton>();
      known.set(one, withOne);
      const combined = withOne.get(other) ?? refuseTooComplex(node, () => combine(one, other), keyword);
      if (!withOne.has(other)) combinedStates += combined.accepting.length;
      if (combinedStates > maxCombinedStates) {
        throw new UnsupportedSchema(
          keyword,
          node?.path ?? '',
          'is too complex together with the other limits on texts',
        );
      }
      withOne.set(other, combined);
      return combined;
    };
  };

  return {
    compile,
    meet: once(intersectionOf),
    without: once(differenceOf),
    languagesOf: (node, certainty) => {
      const languages: TextAutomaton[] = [];
      const pattern = stringKeyword(node, 'pattern');
      if (pattern !== undefined) languages.push(compile(pattern, 'pattern', node));
      if (node.texts !== undefined) languages.push(node.texts);
      const format = stringKeyword(node, 'format');
      const language = (certainty === 'surely' ? formatLanguage : widestFormatLanguage)(format ?? '');
      return language === undefined ? languages : [...languages, language];
    },
  };
}
