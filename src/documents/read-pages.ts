import type { DocumentPage } from '#contract/documents';
import type { DocumentStore } from '#vocabulary/documents';

/** One answer holds about so much text. */
const answerCharacters = 200_000;

/** Whole pages from `from` on, as many as fit; at least one. */
export async function readPages(
  store: DocumentStore,
  documentId: string,
  from: number,
): Promise<{ readonly pages: readonly DocumentPage[]; readonly nextPage: number | null }> {
  const pages: { number: number; text: string }[] = [];
  let characters = 0;
  for await (const passages of store.readPassages(documentId, from)) {
    for (const { page, text } of passages) {
      const last = pages.at(-1);
      if (last?.number === page) last.text += text;
      else if (last !== undefined && characters > answerCharacters) return { pages, nextPage: page };
      else pages.push({ number: page, text });
      characters += text.length;
    }
  }
  return { pages, nextPage: null };
}
