import type { DocumentKind, DocumentPage } from '#contract/documents';
import { DocumentProblem } from '../document-problem.ts';
import type { FromReader, ToReader } from './reader-worker.ts';

export interface ReadDocument {
  readonly kind: DocumentKind;
  readonly pages: readonly DocumentPage[];
  readonly pageCount: number;
  /** Pages on which nothing could be read, such as scans. */
  readonly emptyPages: number;
}

/** Nothing for so long: the file is made to keep its reader busy. */
const patienceMs = 45_000;

/** The text of a file, page by page. A worker reads it, so that a bad file troubles nobody but itself. */
export async function readDocument(
  file: File,
  kind: DocumentKind | undefined,
  progress: (part: number) => void,
  signal: AbortSignal,
): Promise<ReadDocument> {
  if (file.size === 0) throw new DocumentProblem('empty');
  if (kind === 'pdf') {
    const { readPdf } = await import('./read-pdf.ts');
    return await withPatience((alive) => readPdf(file, alive, signal), progress, signal);
  }
  return await withPatience((alive) => readInWorker(file, kind, alive, signal), progress, signal);
}

async function readInWorker(
  file: File,
  kind: DocumentKind | undefined,
  progress: (part: number) => void,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DocumentProblem('unreadable')), { once: true });
      worker.addEventListener('error', (event) => reject(new DocumentProblem('unreadable', event.message)));
      worker.addEventListener('message', ({ data }: MessageEvent<FromReader>) => {
        if (data.type === 'progress') progress(data.part);
        else if (data.type === 'problem') reject(new DocumentProblem(data.code));
        else resolve(data.document);
      });
      worker.postMessage({ file, kind } satisfies ToReader, { transfer: [] });
    });
  } finally {
    worker.terminate();
  }
}

async function withPatience<T>(
  work: (alive: (part: number) => void, signal: AbortSignal) => Promise<T>,
  progress: (part: number) => void,
  signal: AbortSignal,
): Promise<T> {
  const silence = Promise.withResolvers<never>();
  const restart = () => setTimeout(() => silence.reject(new DocumentProblem('unreadable')), patienceMs);
  let timer = restart();
  const alive = (part: number) => {
    clearTimeout(timer);
    timer = restart();
    progress(part);
  };
  try {
    return await Promise.race([work(alive, signal), silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
