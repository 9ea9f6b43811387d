import { documentPartBytes } from '#contract/document-limits';
import type { Document, DocumentKind, DocumentPage } from '#contract/documents';
import { CallFailed } from '../client/call-failed.ts';
import type { Client } from '../client/client.ts';
import { DocumentProblem } from './document-problem.ts';

/** Of the text so much goes in one request. */
const pagesCharacters = 500_000;

/** Asks first: what is too large is refused before anything is read. */
export async function announceDocument(
  client: Client,
  file: File,
  kind: DocumentKind,
  projectId?: string,
): Promise<Document> {
  const mediaType = /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream';
  const place = projectId === undefined ? {} : { projectId };
  const body = { name: file.name.slice(0, 255), kind, mediaType, bytes: file.size, ...place };
  return await refusing(() => client.call('POST /console/documents', { body }));
}

export async function sendDocument(
  client: Client,
  { id: documentId }: Document,
  file: File,
  { pages, pageCount }: { readonly pages: readonly DocumentPage[]; readonly pageCount: number },
  progress: (part: number) => void,
  signal: AbortSignal,
): Promise<Document> {
  return await refusing(async () => {
    const parts = Math.ceil(file.size / documentPartBytes);
    for (let part = 0; part < parts; part++) {
      signal.throwIfAborted();
      const slice = file.slice(part * documentPartBytes, (part + 1) * documentPartBytes);
      await client.call('PUT /console/documents/:documentId/original/:part', {
        documentId,
        part: String(part),
        bytes: new Uint8Array(await slice.arrayBuffer()),
      });
      progress((part + 1) / parts / 2);
    }
    for (let first = 0; first < pages.length;) {
      signal.throwIfAborted();
      const next = batchFrom(pages, first);
      await client.call('POST /console/documents/:documentId/pages', {
        documentId,
        body: { pages: pages.slice(first, next) },
      });
      first = next;
      progress(0.5 + first / pages.length / 2);
    }
    return await client.call('POST /console/documents/:documentId/complete', {
      documentId,
      body: { pageCount, ...(await digestOf(file)) },
    });
  });
}

function batchFrom(pages: readonly DocumentPage[], first: number): number {
  let characters = 0;
  let next = first;
  while (next < pages.length && (next === first || characters < pagesCharacters) && next - first < 2000) {
    characters += pages[next]?.text.length ?? 0;
    next++;
  }
  return next;
}

/** Browsers count it only where the page came over a safe line; elsewhere the server's own sum has to do. */
async function digestOf(file: File): Promise<{ readonly digest?: string }> {
  if (!isSecureContext) return {};
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return { digest: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}

async function refusing<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (!(cause instanceof CallFailed)) throw cause;
    if (cause.code === 'request_too_large') throw new DocumentProblem('tooLarge', cause);
    throw new DocumentProblem(cause.code === 'storage_full' ? 'storageFull' : 'notSent', cause);
  }
}
