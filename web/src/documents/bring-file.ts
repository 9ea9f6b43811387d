import type { Client } from '../client/client.ts';
import type { Attachment } from './attachment.ts';
import { kindOf } from './document-kind.ts';
import { DocumentProblem } from './document-problem.ts';
import { preparePicture } from './reading/prepare-picture.ts';
import { readDocument } from './reading/read-document.ts';
import { announceDocument, sendDocument } from './send-document.ts';

interface BringParts {
  readonly client: Client;
  readonly file: File;
  /** False in a temporary chat: the text stays in this page. */
  readonly isKept: boolean;
  /** For the space of this project. */
  readonly projectId?: string;
  readonly update: (fields: Partial<Attachment>) => void;
  readonly signal: AbortSignal;
}

/** Reads a file here, and sends what was read together with the original. Throws a `DocumentProblem`. */
export async function bringFile(parts: BringParts): Promise<void> {
  const kind = kindOf(parts.file);
  if (kind === 'picture') await bringPicture(parts);
  else await bringText(parts, kind);
}

async function bringText(
  { client, file, isKept, projectId, update, signal }: BringParts,
  kind: ReturnType<typeof kindOf>,
): Promise<void> {
  const announced = isKept ? await announceDocument(client, file, kind ?? 'text', projectId) : undefined;
  try {
    const read = await readDocument(file, kind, (progress) => update({ progress: progress / 2 }), signal);
    const { pages, pageCount, emptyPages } = read;
    if (announced === undefined) {
      const characters = pages.reduce((sum, { text }) => sum + text.length, 0);
      if (characters > maxInlineCharacters) throw new DocumentProblem('tooLong');
      update({ state: 'ready', kind: read.kind, pages, pageCount, emptyPages, progress: 1 });
      return;
    }
    update({ state: 'sending', kind: read.kind, pageCount, emptyPages });
    const progress = (part: number) => update({ progress: 0.5 + part / 2 });
    const document = await sendDocument(client, announced, file, read, progress, signal);
    update({ state: 'ready', document, progress: 1 });
  } catch (cause) {
    if (announced !== undefined)
      client
        .call('DELETE /console/documents/:documentId', { documentId: announced.id })
        .catch(() => undefined);
    throw cause;
  }
}

async function bringPicture({ client, file, isKept, projectId, update, signal }: BringParts): Promise<void> {
  // A space has its documents at hand as text; a picture belongs to a question.
  if (projectId !== undefined) throw new DocumentProblem('unsupported');
  if (!isKept) throw new DocumentProblem('noPicturesHere');
  const { file: small } = await preparePicture(file);
  signal.throwIfAborted();
  update({ state: 'sending', bytes: small.size, progress: 0.5 });
  const announced = await announceDocument(client, small, 'picture');
  const nothing = { pages: [], pageCount: 1 };
  const document = await sendDocument(client, announced, small, nothing, () => undefined, signal);
  update({ state: 'ready', document, pageCount: 1, progress: 1 });
}

/** As much text as one message of a temporary chat takes along. */
const maxInlineCharacters = 300_000;
