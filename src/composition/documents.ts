/** What people bring, and how it is searched. */
import { createHash } from 'node:crypto';
import { createDocuments, type Documents } from '#documents';
import type { Settings } from '#settings';
import type { Storage } from '#storage';
import { createChatInference } from '../flow/answer-chat.ts';
import { createEmbedder } from '../flow/embed-texts.ts';
import type { Catalogue } from '#vocabulary/catalogue';
import type { ChatInference } from '#vocabulary/chat-inference';
import type { Clock } from '#vocabulary/clock';
import type { Embedder, EmbeddingModel } from '#vocabulary/embedding';
import type { Logger } from '#vocabulary/logger';
import type { ProjectDirectory } from '#vocabulary/project';

/** What the people's side asks of the common road. */
export function composeInference(...road: Parameters<typeof createChatInference>): {
  readonly inference: ChatInference;
  readonly embedder: Embedder;
} {
  return { inference: createChatInference(...road), embedder: createEmbedder(...road) };
}

export function composeDocuments(parts: {
  readonly settings: Pick<Settings, 'limits' | 'documents'>;
  readonly storage: Storage;
  readonly embedder: Embedder;
  readonly catalogue: () => Catalogue;
  readonly projects: Pick<ProjectDirectory, 'isMember'>;
  readonly storedBytesOf: (personId: string) => Promise<number>;
  readonly clock: Clock;
  readonly logger: Logger;
}): Documents {
  const { storage, embedder, catalogue, storedBytesOf, clock, logger } = parts;
  const { limits, documents } = parts.settings;
  return createDocuments({
    store: storage.documents,
    byMeaning: {
      store: storage.vectors,
      embedder,
      model: () => chosenModel(documents.embeddings, catalogue()),
      once: storage.once,
    },
    storagePerPersonBytes: limits.storagePerPersonBytes,
    storedBytesOf,
    maxDocumentBytes: limits.maxDocumentBytes,
    spaces: storage.spaces,
    isMember: parts.projects.isMember,
    storagePerProjectBytes: limits.storagePerProjectBytes,
    maxTotalBytes: limits.documentsTotalBytes,
    clock,
    logger,
  });
}

/** A model that answers makes poor vectors: it is taken only where somebody names it. */
function chosenModel(wanted: string, { models }: Catalogue): EmbeddingModel {
  if (wanted === 'off') return { kind: 'off' };
  const model = models.find(({ id, isForEmbeddings }) =>
    wanted === 'auto' ? isForEmbeddings : id === wanted,
  );
  if (model === undefined) return { kind: 'none' };
  const { id, queryPrefix, passagePrefix } = model;
  return { kind: 'model', id, queryPrefix, passagePrefix, vectorsName: vectorsName(id, passagePrefix) };
}

/** No model id has a blank in it. */
function vectorsName(id: string, passagePrefix: string): string {
  if (passagePrefix === '') return id;
  return `${id} ${createHash('sha256').update(passagePrefix).digest('hex').slice(0, 16)}`;
}
