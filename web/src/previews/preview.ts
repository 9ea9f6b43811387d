import { createContext, use } from 'react';

export type PreviewKind = 'html' | 'svg' | 'csv' | 'mermaid' | 'vega';

/** A piece of an answer that is a document of its own. */
export interface Preview {
  readonly kind: PreviewKind;
  readonly source: string;
}

/** Opens one beside the chat; undefined where there is no room for it, as on the page of a shared chat. */
export const PreviewPlaces = createContext<((preview: Preview) => void) | undefined>(undefined);

export function useOpenPreview(): ((preview: Preview) => void) | undefined {
  return use(PreviewPlaces);
}

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
