import type { Source } from '#contract/context';
import type { AttachedDocument } from '#contract/documents';
import type { DocumentStore, FoundPassage, Passage } from '#vocabulary/documents';
import { charactersPerToken, estimateTokens } from './estimate-tokens.ts';
import { searchWords } from './search-words.ts';

/** What of the documents goes to the model, numbered so that the answer can cite it. */
export interface ChosenSources {
  readonly sources: readonly ChosenSource[];
  /** Documents that are there as a whole. */
  readonly whole: ReadonlySet<string>;
  readonly leftOut: readonly Readable[];
}

export interface ChosenSource extends Source {
  readonly text: string;
}

/** More passages than this help no answer. */
const maxPassages = 60;
/** Around the text of a source. */
const tokensPerSource = 24;

/**
 * Newest document first: what fits goes in as a whole, page by page. Of the others the passages that say most about
 * the question; where none does, their beginnings, because "summarise this" names nothing in particular.
 */
export async function chooseSources(
  store: DocumentStore,
  documents: readonly Readable[],
  question: string,
  budgetTokens: number,
): Promise<ChosenSources> {
  const whole = new Set<string>();
  let left = budgetTokens;
  for (const { id, characters, pageCount } of documents.toReversed()) {
    const tokens = Math.ceil(characters / charactersPerToken) + pageCount * tokensPerSource;
    if (characters === 0 || tokens > left) continue;
    whole.add(id);
    left -= tokens;
  }
  const searched = documents.filter(({ id, characters }) => characters > 0 && !whole.has(id));
  const passages = await findPassages(store, searched, question, left);
  const sources: ChosenSource[] = [];
  for (const document of documents) {
    const parts = whole.has(document.id)
      ? await readWhole(store, document.id)
      : passages.filter(({ documentId }) => documentId === document.id).toSorted(inOrder);
    const head = document.kind === 'table' ? await readHead(store, document.id) : '';
    for (const { page, start, text, isWhole } of parts) {
      const { id: documentId, name } = document;
      const number = sources.length + 1;
      const length = isWhole ? null : text.length;
      const isFirst = page === 1 && start === 0;
      sources.push({ number, documentId, name, page, start, length, text: isFirst ? text : head + text });
    }
  }
  const used = new Set(sources.map(({ documentId }) => documentId));
  return {
    sources,
    whole,
    leftOut: documents.filter(({ id }) => !used.has(id)),
  };
}

export interface Readable extends AttachedDocument {
  readonly characters: number;
}

interface Part extends Passage {
  readonly isWhole: boolean;
}

type FoundPart = FoundPassage & Part;

async function findPassages(
  store: DocumentStore,
  documents: readonly Readable[],
  question: string,
  budgetTokens: number,
): Promise<readonly FoundPart[]> {
  const ids = documents.map(({ id }) => id);
  const found = await store.search(ids, searchWords(question), maxPassages);
  const chosen: FoundPart[] = [];
  let left = budgetTokens;
  const take = (passage: FoundPassage) => {
    const tokens = estimateTokens(passage.text) + tokensPerSource;
    if (tokens > left || chosen.length >= maxPassages) return false;
    left -= tokens;
    chosen.push({ ...passage, isWhole: false });
    return true;
  };
  found.forEach(take);
  for (const documentId of ids) {
    if (chosen.some((passage) => passage.documentId === documentId)) continue;
    for await (const slice of store.readPassages(documentId, 1)) {
      for (const passage of slice) if (!take({ ...passage, documentId })) break;
      break;
    }
  }
  return chosen;
}

async function readWhole(store: DocumentStore, documentId: string): Promise<readonly Part[]> {
  const pages: { page: number; start: number; text: string; isWhole: true }[] = [];
  for await (const passages of store.readPassages(documentId, 1)) {
    for (const { page, text } of passages) {
      const last = pages.at(-1);
      if (last?.page === page) last.text += text;
      else pages.push({ page, start: 0, text, isWhole: true });
    }
  }
  return pages;
}

/** The names of the columns, without which no row can be understood. */
async function readHead(store: DocumentStore, documentId: string): Promise<string> {
  for await (const [first] of store.readPassages(documentId, 1)) {
    const line = first?.text.split('\n', 1)[0] ?? '';
    return line.length > maxHeadCharacters ? '' : `${line}\n`;
  }
  return '';
}

const maxHeadCharacters = 400;

function inOrder(one: Passage, other: Passage): number {
  return one.page - other.page || one.start - other.start;
}
