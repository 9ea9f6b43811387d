import type { AttachedDocument, Document, DocumentKind, DocumentPage } from '#contract/documents';

/** What people bring into their chats. Only the owner finds it: for anybody else it does not exist. */

export interface StoredDocument extends Document {
  /** The owner; of a document of a space whoever brought it. */
  readonly personId: string;
  /** The project whose space it belongs to. */
  readonly projectId?: string | undefined;
}

/** A piece of the text of a page; the pieces of a page one after the other are the page. */
export interface Passage {
  readonly page: number;
  /** Where it begins in the text of its page. */
  readonly start: number;
  readonly text: string;
}

export interface FoundPassage extends Passage {
  readonly documentId: string;
}

export interface DocumentStore {
  insert(document: StoredDocument): Promise<void>;
  find(personId: string, documentId: string): Promise<StoredDocument | undefined>;
  /** What is kept of one person, or of everybody. */
  countStoredBytes(personId?: string): Promise<number>;
  /** False when that part is there already. */
  addPart(documentId: string, number: number, content: Uint8Array): Promise<boolean>;
  addPassages(documentId: string, passages: readonly Passage[]): Promise<void>;
  readParts(documentId: string): AsyncIterable<Uint8Array>;
  /** From a page on, in order, a little at a time. */
  readPassages(documentId: string, fromPage: number): AsyncIterable<readonly Passage[]>;
  complete(
    documentId: string,
    facts: Pick<Document, 'pageCount' | 'digest' | 'textDigest' | 'characters'>,
  ): Promise<void>;
  /** The passages that say most about any of these words, the best first. */
  search(
    documentIds: readonly string[],
    words: readonly string[],
    limit: number,
  ): Promise<readonly FoundPassage[]>;
  /** False when there is no such document of this person, or a message refers to it. */
  remove(personId: string, documentId: string): Promise<boolean>;
  /** Removes a little of what was removed, or made before then and never used. Zero when nothing is left. */
  purge(madeBefore: number): Promise<number>;
}

export interface NewDocument {
  readonly name: string;
  readonly kind: DocumentKind;
  readonly mediaType: string;
  readonly bytes: number;
  /** For the space of this project. */
  readonly projectId?: string | undefined;
}

/** What the room `documents` does for the console. Refuses with `not_found` what belongs to somebody else. */
export interface DocumentDesk {
  begin(personId: string, document: NewDocument): Promise<StoredDocument>;
  addPart(personId: string, documentId: string, number: number, content: Uint8Array): Promise<void>;
  addPages(personId: string, documentId: string, pages: readonly DocumentPage[]): Promise<void>;
  complete(
    personId: string,
    documentId: string,
    facts: { readonly digest?: string | undefined; readonly pageCount: number },
  ): Promise<StoredDocument>;
  read(personId: string, documentId: string): Promise<StoredDocument>;
  readPages(
    personId: string,
    documentId: string,
    from: number,
  ): Promise<{ readonly pages: readonly DocumentPage[]; readonly nextPage: number | null }>;
  readOriginal(
    personId: string,
    documentId: string,
  ): Promise<{ readonly document: StoredDocument; readonly content: AsyncIterable<Uint8Array> }>;
  remove(personId: string, documentId: string): Promise<void>;
}

export function viewAttached({ id, name, kind, bytes, pageCount }: StoredDocument): AttachedDocument {
  return { id, name, kind, bytes, pageCount };
}
