import type { MeaningOutcome, Source } from '#contract/context';
import type { AttachedDocument } from '#contract/documents';
import type { DocumentStore, FoundPassage, MeaningAsk, Passage } from '#vocabulary/documents';
import { charactersPerToken, estimateTokens } from './estimate-tokens.ts';
import { mergeByRank, placeOf } from './merge-by-rank.ts';
import { namedPages } from './named-pages.ts';
import { searchPieces, searchWords } from './search-words.ts';

/** What of the documents goes to the model, numbered so that the answer can cite it. */
export interface ChosenSources {
  readonly sources: readonly ChosenSource[];
  /** Documents that are there as a whole. */
  readonly whole: ReadonlySet<string>;
  readonly leftOut: readonly Readable[];
  readonly byMeaning: MeaningOutcome;
}

export interface PassageSearch {
  readonly store: DocumentStore;
  /** Left out where nobody waits for an answer yet. */
  readonly findByMeaning?: FindByMeaning | undefined;
}

/** In the name of whoever asks. */
export type FindByMeaning = (
  ask: Pick<MeaningAsk, 'documents' | 'question' | 'limit'>,
) => Promise<{ readonly found: readonly FoundPassage[]; readonly outcome: MeaningOutcome }>;

export interface ChosenSource extends Source {
  readonly text: string;
}

/** More passages than this help no answer. */
const maxPassages = 60;
/** Around the text of a source. */
const tokensPerSource = 24;

/** Of the room for passages, so much when the words of the question stand nowhere. */
const shareOfMeaning = 0.5;

/**
 * Newest document first: what fits goes in as a whole, page by page. Of the others the pages that the question names,
 * and the passages that say most about it, by their words and by their meaning. A document in which no word of it stands is there with its
 * beginning as well, because "summarise this" names nothing in particular and means no passage either.
 */
export async function chooseSources(
  search: PassageSearch,
  documents: readonly Readable[],
  question: string,
  budgetTokens: number,
): Promise<ChosenSources> {
  const { store } = search;
  const whole = new Set<string>();
  let left = budgetTokens;
  for (const { id, characters, pageCount } of documents.toReversed()) {
    const tokens = Math.ceil(characters / charactersPerToken) + pageCount * tokensPerSource;
    if (characters === 0 || tokens > left) continue;
    whole.add(id);
    left -= tokens;
  }
  const searched = documents.filter(({ id, characters }) => characters > 0 && !whole.has(id));
  const { passages, byMeaning } = await findPassages(search, searched, question, left);
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
    byMeaning,
  };
}

export interface Readable extends AttachedDocument {
  readonly characters: number;
  readonly embeddedBy?: string | undefined;
}

interface Part extends Passage {
  readonly isWhole: boolean;
}

type FoundPart = FoundPassage & Part;

async function findPassages(
  { store, findByMeaning }: PassageSearch,
  documents: readonly Readable[],
  question: string,
  budgetTokens: number,
): Promise<{ readonly passages: readonly FoundPart[]; readonly byMeaning: MeaningOutcome }> {
  if (documents.length === 0) return { passages: [], byMeaning: 'notSearched' };
  const ids = documents.map(({ id }) => id);
  const [byWords, byPieces, meant] = await Promise.all([
    store.search(ids, searchWords(question), maxPassages),
    store.searchPieces(ids, searchPieces(question), maxPassages),
    findByMeaning?.({ documents, question, limit: maxPassages }),
  ]);
  const chosen = new Map<string, FoundPart>();
  let left = budgetTokens;
  const take = (passage: FoundPassage, atLeastLeft: number) => {
    const place = placeOf(passage);
    if (chosen.has(place)) return true;
    const tokens = estimateTokens(passage.text) + tokensPerSource;
    if (left - tokens < atLeastLeft || chosen.size >= maxPassages) return false;
    left -= tokens;
    chosen.set(place, { ...passage, isWhole: false });
    return true;
  };
  const named = await readNamedPages(store, documents, question);
  for (const passage of named) take(passage, 0);
  const saidOutright = [...named, ...byWords, ...byPieces];
  const kept = saidOutright.length > 0 ? 0 : left * (1 - shareOfMeaning);
  for (const passage of mergeByRank([byWords, byPieces, meant?.found ?? []])) take(passage, kept);
  const spoken = new Set(saidOutright.flatMap((one) => (chosen.has(placeOf(one)) ? one.documentId : [])));
  for (const documentId of ids) {
    if (spoken.has(documentId)) continue;
    for await (const slice of store.readPassages(documentId, 1)) {
      for (const passage of slice) if (!take({ ...passage, documentId }, 0)) break;
      break;
    }
  }
  return { passages: [...chosen.values()], byMeaning: meant?.outcome ?? 'notSearched' };
}

/** The newest document first. */
async function readNamedPages(
  store: DocumentStore,
  documents: readonly Readable[],
  question: string,
): Promise<readonly FoundPassage[]> {
  const pages = namedPages(question);
  const found: FoundPassage[] = [];
  for (const { id: documentId, pageCount } of documents.toReversed())
    for (const number of pages) {
      if (number > pageCount || found.length >= maxPassages) continue;
      for await (const slice of store.readPassages(documentId, number)) {
        const onPage = slice.filter(({ page }) => page === number);
        found.push(...onPage.map((passage) => ({ ...passage, documentId })));
        break;
      }
    }
  return found;
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
