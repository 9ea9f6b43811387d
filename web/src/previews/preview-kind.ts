import type { PreviewKind } from './preview.ts';

/** What kind of document a piece of code is, if any. */
export function previewKindOf(language: string, code: string): PreviewKind | undefined {
  if (code.trim() === '' || code.length > maxCharacters) return undefined;
  const known = kinds[language.toLowerCase()];
  if (known !== undefined) return known;
  if (language === 'xml' && /<svg[\s>]/.test(code.slice(0, 1000))) return 'svg';
  return language === 'json' && vegaSchema.test(code.slice(0, 1000)) ? 'vega' : undefined;
}

const maxCharacters = 2_000_000;
const vegaSchema = /"\$schema"\s*:\s*"[^"]*\/schema\/vega-lite\//;
const kinds: Readonly<Record<string, PreviewKind>> = {
  html: 'html',
  htm: 'html',
  svg: 'svg',
  csv: 'csv',
  tsv: 'csv',
  mermaid: 'mermaid',
  'vega-lite': 'vega',
  vegalite: 'vega',
};
