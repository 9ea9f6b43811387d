import type { Generated } from 'kysely';
import type { DocumentKind } from '#contract/documents';

/** Columns of documents: times in milliseconds, absence as null. */
export interface DocumentTables {
  documents: DocumentsTable;
  document_parts: { document_id: string; number: number; content: Uint8Array };
  document_passages: {
    position: Generated<number>;
    document_id: string;
    page: number;
    start: number;
    content: string;
  };
  passage_vectors: { position: number; document_id: string; model: string; vector: Uint8Array };
  document_uses: { document_id: string; message_id: string };
  passage_search: { rowid: number; passage_search: string };
}

export interface DocumentsTable {
  id: string;
  person_id: string;
  name: string;
  kind: DocumentKind;
  media_type: string;
  bytes: number;
  page_count: number;
  characters: number;
  digest: string | null;
  text_digest: string | null;
  state: 'arriving' | 'ready';
  /** Of its parts, its text and its vectors. */
  stored_bytes: number;
  created_at: number;
  /** Nobody finds it any more; its rows go little by little. */
  removed_at: number | null;
  /** The space that it belongs to. */
  project_id: string | null;
  /** The model by which all of its passages have vectors. */
  embedded_by: string | null;
}
