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
