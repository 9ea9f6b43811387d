import type { MeaningOutcome } from '#contract/context';
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
  /** The passages in which most of these pieces of text stand, within words too, the best first. */
  searchPieces(
    documentIds: readonly string[],
    pieces: readonly string[],
    limit: number,
  ): Promise<readonly FoundPassage[]>;
  /** False when there is no such document of this person, or a message refers to it. */
  remove(personId: string, documentId: string): Promise<boolean>;
  /** Removes a little of what was removed, or made before then and never used. Zero when nothing is left. */
  purge(madeBefore: number): Promise<number>;
}

/** A passage by its place in the database. */
export interface PlacedPassage {
  readonly position: number;
  readonly text: string;
}

export interface PassageVector {
  readonly position: number;
  /** Empty when no model takes the text. */
  readonly vector: Int8Array;
}

/** Passages as vectors. They go with their passages, and count towards what their document takes. */
export interface VectorStore {
  /** The newest document with text, but not more of it than so much, whose passages have not all vectors of this model. */
  findUnembedded(
    modelId: string,
    maxCharacters: number,
    except: readonly string[],
  ): Promise<StoredDocument | undefined>;
  /** Some of its passages without a vector, in order. */
  readUnembedded(documentId: string, limit: number): Promise<readonly PlacedPassage[]>;
  /** Passes over passages that are gone. */
  addVectors(documentId: string, modelId: string, vectors: readonly PassageVector[]): Promise<void>;
  markEmbedded(documentId: string, modelId: string): Promise<void>;
  /** Removes a little of what is not of this model; zero when nothing is left. */
  dropVectors(documentId: string, except: string | undefined): Promise<number>;
  /** Any document that has vectors. */
  findEmbedded(): Promise<string | undefined>;
  /** A little at a time. */
  readVectors(documentId: string, modelId: string): AsyncIterable<readonly PassageVector[]>;
  /** In no particular order. */
  readPassagesAt(
    positions: readonly number[],
  ): Promise<readonly (FoundPassage & { readonly position: number })[]>;
}

/** What the room `conversations` asks of the room `documents` beside the words. */
export interface MeaningSearch {
  /** The passages that come nearest to the question, the best first. Those found by words do not hang on it. */
  search(ask: MeaningAsk): Promise<{
    readonly found: readonly FoundPassage[];
    readonly outcome: MeaningOutcome;
  }>;
}

export interface MeaningAsk {
  readonly personId: string;
  /** The space that pays for it. */
  readonly projectId: string | undefined;
  readonly documents: readonly Pick<Document, 'id' | 'embeddedBy'>[];
  readonly question: string;
  readonly limit: number;
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
