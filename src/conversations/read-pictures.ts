import type { AttachedDocument } from '#contract/documents';
import type { DocumentStore } from '#vocabulary/documents';

/** Larger ones are no pictures that a page has made ready. */
const maxPictureBytes = 8 * 1024 * 1024;

/** Pictures as `data:` addresses, in the order in which they came. */
export async function readPictures(
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
