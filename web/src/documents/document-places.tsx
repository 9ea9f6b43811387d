import { createContext, use } from 'react';
import type { AttachedDocument } from '#contract/documents';

/** Where in a document one looks: a page, and perhaps a passage of it. */
export interface DocumentPlace {
  readonly document: Pick<AttachedDocument, 'id' | 'name'>;
  readonly page: number;
  /** With null the whole page is meant. */
  readonly passage: { readonly start: number; readonly length: number } | null;
}

/** Opens a document beside the chat; undefined where there is no room for one, as on the page of a shared chat. */
export const DocumentPlaces = createContext<((place: DocumentPlace) => void) | undefined>(undefined);

export function useOpenDocument(): ((place: DocumentPlace) => void) | undefined {
  return use(DocumentPlaces);
}
