import type { AttachedDocument, DocumentKind, DocumentPage } from '#contract/documents';
import type { DocumentProblemCode } from './document-problem.ts';

/** A file on its way into a question. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly kind: DocumentKind | undefined;
  readonly bytes: number;
  readonly state: 'reading' | 'sending' | 'ready' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  readonly problem: DocumentProblemCode | undefined;
  readonly pageCount: number;
  readonly emptyPages: number;
  /** Where it is kept, once it is; in a temporary chat nowhere. */
  readonly document: AttachedDocument | undefined;
  /** The text, where nothing may be kept. */
  readonly pages: readonly DocumentPage[];
}
