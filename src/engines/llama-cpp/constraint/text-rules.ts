import { compilePattern } from './pattern-automaton.ts';
import { UnsupportedPattern } from './pattern-syntax.ts';
import type { SchemaNode } from './schema-document.ts';
import { stringKeyword } from './schema-keywords.ts';
import { annotationFormats, textFormats } from './text-formats.ts';
import type { TextAutomaton } from './text-language.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** What `pattern` and `format` of a schema say about texts. Each pattern is compiled once. */
export interface TextRules {
  languagesOf(node: SchemaNode): readonly TextAutomaton[];
  compile(pattern: string, keyword: string, node: SchemaNode): TextAutomaton;
}

/** Distinct patterns in one schema: bounds the time that compiling them can take. */
const maxPatterns = 200;

export function createTextRules(): TextRules {
  const compiled = new Map<string, TextAutomaton>();

  const compile = (pattern: string, keyword: string, node: SchemaNode): TextAutomaton => {
    let language = compiled.get(pattern);
    if (language !== undefined) return language;
    if (compiled.size >= maxPatterns)
      throw new UnsupportedSchema(keyword, node.path, 'is one pattern too many');
    try {
      language = compilePattern(pattern);
    } catch (error) {
      if (error instanceof UnsupportedPattern) throw new UnsupportedSchema(keyword, node.path, error.message);
      throw error;
    }
    compiled.set(pattern, language);
    return language;
  };

  return {
    compile,
    languagesOf: (node) => {
      const languages: TextAutomaton[] = [];
      const pattern = stringKeyword(node, 'pattern');
      if (pattern !== undefined) languages.push(compile(pattern, 'pattern', node));
      const format = stringKeyword(node, 'format');
      if (format === undefined || annotationFormats.has(format)) return languages;
      const formatPattern = textFormats.get(format);
      if (formatPattern === undefined) {
        throw new UnsupportedSchema('format', node.path, `with the value "${format}" is not supported`);
      }
      return [...languages, compile(formatPattern, 'format', node)];
    },
  };
}
