import type { DocumentKind } from '#contract/documents';
import { DocumentProblem, type DocumentProblemCode } from '../document-problem.ts';
import type { ReadDocument } from './read-document.ts';
import { readNotebook } from './read-notebook.ts';
import { readTable } from './read-table.ts';
import { readPlainText } from './read-text.ts';
import { readWord } from './read-word.ts';

export interface ToReader {
  readonly file: File;
  readonly kind: DocumentKind | undefined;
}

export type FromReader =
  | { readonly type: 'progress'; readonly part: number }
  | { readonly type: 'read'; readonly document: ReadDocument }
  | { readonly type: 'problem'; readonly code: DocumentProblemCode };

/** Everything but PDF is read here; the worker lives as long as its file takes. */
self.addEventListener('message', ({ data }: MessageEvent<ToReader>) => {
  read(data)
    .then((document) => self.postMessage({ type: 'read', document } satisfies FromReader, { transfer: [] }))
    .catch((cause: unknown) => {
      const code = cause instanceof DocumentProblem ? cause.code : 'unreadable';
      self.postMessage({ type: 'problem', code } satisfies FromReader, { transfer: [] });
    });
});

async function read({ file, kind }: ToReader): Promise<ReadDocument> {
  const progress = (part: number) =>
    self.postMessage({ type: 'progress', part } satisfies FromReader, { transfer: [] });
  const bytes = await file.arrayBuffer();
  progress(0.3);
  switch (kind) {
    case 'word':
      return readWord(new Uint8Array(bytes));
    case 'notebook':
      return readNotebook(decode(bytes));
    case 'table':
      return readTable(decode(bytes));
    default:
      return readPlainText(decode(bytes));
  }
}

/** UTF-8, or UTF-16 with its mark. Everything else is no text. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = isWide ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (text.includes('\u0000')) throw new DocumentProblem('unsupported');
    return text;
  } catch {
    throw new DocumentProblem('unsupported');
  }
}
