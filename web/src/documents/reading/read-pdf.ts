import { getDocument, PasswordException, PDFWorker, type PDFDocumentProxy } from 'pdfjs-dist';
import type { DocumentPage } from '#contract/documents';
import { DocumentProblem } from '../document-problem.ts';
import type { ReadDocument } from './read-document.ts';

/** More pages than anybody reads; a file that claims more is not meant well. */
const maxPages = 5000;
const maxPageCharacters = 200_000;

/** Reads with pdf.js, in a worker that ends with the file. Nothing of the file is run or drawn. */
export async function readPdf(
  file: File,
  progress: (part: number) => void,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
  const loading = getDocument({
    data: new Uint8Array(await file.arrayBuffer()),
    worker: PDFWorker.create({ port: worker }),
    cMapUrl: new URL('/assets/cmaps/', location.origin).href,
    cMapPacked: true,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    useWasm: false,
    stopAtErrors: false,
  });
  const stop = () => worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await readPages(await loading.promise, progress, signal);
  } catch (cause) {
    if (cause instanceof DocumentProblem) throw cause;
    if (cause instanceof PasswordException) throw new DocumentProblem('password', cause);
    throw new DocumentProblem('unreadable', cause);
  } finally {
    signal.removeEventListener('abort', stop);
    worker.terminate();
  }
}

async function readPages(
  pdf: PDFDocumentProxy,
  progress: (part: number) => void,
  signal: AbortSignal,
): Promise<ReadDocument> {
  if (pdf.numPages > maxPages) throw new DocumentProblem('tooLong');
  const pages: DocumentPage[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    signal.throwIfAborted();
    const text = await readPage(pdf, number);
    if (text !== '') pages.push({ number, text });
    progress(number / pdf.numPages);
  }
  if (pages.length === 0) throw new DocumentProblem('noText');
  return { kind: 'pdf', pages, pageCount: pdf.numPages, emptyPages: pdf.numPages - pages.length };
}

/** A page that is broken is a page without text; the others are read all the same. */
async function readPage(pdf: PDFDocumentProxy, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    let text = '';
    let lastHeight = 0;
    for (const item of items) {
      if (!('str' in item) || text.length > maxPageCharacters) continue;
      text += item.str;
      if (!item.hasEOL) continue;
      // A larger gap than between lines is a new paragraph for the reader; heights tell headings apart.
      text += item.height !== 0 && lastHeight !== 0 && item.height > lastHeight * 1.3 ? '\n\n' : '\n';
      lastHeight = item.height;
    }
    page.cleanup();
    return tidy(text);
  } catch {
    return '';
  }
}

function tidy(text: string): string {
  return text
    .replaceAll('\u0000', '')
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
