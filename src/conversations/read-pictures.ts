import type { AttachedDocument } from '#contract/documents';
import type { ModelDefinition } from '#vocabulary/catalogue';
import type { DocumentStore } from '#vocabulary/documents';
import type { BranchMessage } from './chat-request.ts';
import type { PlannedMessage } from './plan-context.ts';

/** Larger ones are no pictures that a page has made ready. */
const maxPictureBytes = 8 * 1024 * 1024;

/** The messages with their pictures, for a model that sees. */
export async function withPictures(
  store: DocumentStore,
  personId: string,
  { supportsVision }: ModelDefinition,
  branch: readonly PlannedMessage[],
): Promise<readonly BranchMessage[]> {
  return await Promise.all(
    branch.map(async (message) => ({
      ...message,
      pictures: supportsVision ? await readPictures(store, personId, message.documents ?? []) : [],
    })),
  );
}

/** Pictures as `data:` addresses, in the order in which they came. */
async function readPictures(
  store: DocumentStore,
  personId: string,
  documents: readonly AttachedDocument[],
): Promise<readonly string[]> {
  const pictures: string[] = [];
  for (const { id, kind, bytes } of documents) {
    if (kind !== 'picture' || bytes > maxPictureBytes) continue;
    const document = await store.find(personId, id);
    if (document === undefined) continue;
    const parts: Uint8Array[] = [];
    for await (const part of store.readParts(id)) parts.push(part);
    pictures.push(`data:${document.mediaType};base64,${Buffer.concat(parts).toString('base64')}`);
  }
  return pictures;
}
