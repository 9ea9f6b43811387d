import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { documentPartBytes, pictureTypes } from '#contract/document-limits';
import type { Clock } from '#vocabulary/clock';
import type {
  DocumentDesk,
  DocumentStore,
  MeaningSearch,
  StoredDocument,
  VectorStore,
} from '#vocabulary/documents';
import type { Embedder, EmbeddingModel } from '#vocabulary/embedding';
import { mintId } from '#vocabulary/ids';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import type { SpaceStore } from '#vocabulary/spaces';
import { createMeaningSearch } from './meaning-search.ts';
import { createPassageEmbedder } from './passage-embedder.ts';
import { readPages } from './read-pages.ts';
import { splitPage } from './split-page.ts';

export interface DocumentsParts {
  readonly store: DocumentStore;
  /** Left out by whoever only puts documents down. */
  readonly byMeaning?: {
    readonly store: VectorStore;
    readonly embedder: Embedder;
    /** The one by which passages get their vectors, as it is now. */
    readonly model: () => EmbeddingModel;
    /** Does what one gateway at a time should do. */
    readonly once: (duty: string, work: () => Promise<void>) => Promise<void>;
  };
  /** What the chats and documents of one person may take, and what they take. */
  readonly storagePerPersonBytes: number;
  readonly storedBytesOf: (personId: string) => Promise<number>;
  readonly maxDocumentBytes: number;
  readonly spaces: Pick<SpaceStore, 'findDocument' | 'countDocumentBytes' | 'removeDocument'>;
  readonly isMember: (projectId: string, personId: string) => boolean;
  /** What the documents of one project may take. */
  readonly storagePerProjectBytes: number;
  /** Documents of everybody together. */
  readonly maxTotalBytes: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Keeps what people bring: the original in parts, and the text that their browser has read. Looks into no file. */
export interface Documents extends DocumentDesk {
  readonly meaning: MeaningSearch | undefined;
  start(): void;
  stop(): Promise<void>;
}

/** So long a document waits for the question it belongs to. */
const unusedMs = 24 * 3_600_000;
const sweepEveryMs = 3_600_000;
/** Between two small steps: people come first. */
const restMs = 20;

export function createDocuments(parts: DocumentsParts): Documents {
  const { store, clock, logger } = parts;
  /** What is being written for each owner. */
  const writing = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let sweeping: Promise<void> = Promise.resolve();
  const byMeaning = parts.byMeaning && { ...parts.byMeaning, clock, logger };
  const embedding = byMeaning && createPassageEmbedder({ ...byMeaning, requireRoom });

  return {
    meaning: byMeaning && createMeaningSearch(byMeaning),

    async begin(personId, { name, kind, mediaType, bytes, projectId }) {
      if (bytes > parts.maxDocumentBytes) {
        throw new Refusal(
          'request_too_large',
          `A document may have ${mebibytes(parts.maxDocumentBytes)} MiB. Bring a part of it.`,
          { param: 'bytes' },
        );
      }
      if (kind === 'picture' && !pictureTypes.includes(mediaType)) {
        throw new Refusal('invalid_parameter', `A picture is one of ${pictureTypes.join(', ')}.`, {
          param: 'mediaType',
        });
      }
      await requireRoom({ personId, projectId }, bytes);
      const document: StoredDocument = {
        id: mintId('document'),
        personId,
        name,
        kind,
        mediaType,
        bytes,
        pageCount: 0,
        characters: 0,
        digest: null,
        textDigest: null,
        state: 'arriving',
        createdAt: clock.wallMs(),
        projectId,
      };
      await store.insert(document);
      return document;
    },

    async addPart(personId, documentId, number, content) {
      const document = await findArriving(personId, documentId);
      const expected = Math.min(documentPartBytes, document.bytes - number * documentPartBytes);
      if (content.length !== expected)
        throw new Refusal('invalid_parameter', 'This part of the file is not as long as it should be.');
      await writeInTurn(document, async () => {
        await requireRoom(document, content.length);
        await store.addPart(documentId, number, content);
      });
    },

    async addPages(personId, documentId, pages) {
      const document = await findArriving(personId, documentId);
      const passages = pages.flatMap(splitPage);
      // What is written for the search comes on top of the text itself.
      const bytes = passages.reduce((sum, { text }) => sum + 2 * Buffer.byteLength(text), 0);
      await writeInTurn(document, async () => {
        await requireRoom(document, bytes);
        await store.addPassages(documentId, passages);
      });
    },

    async complete(personId, documentId, { digest: expected, pageCount }) {
      const document = await findArriving(personId, documentId);
      const original = createHash('sha256');
      let bytes = 0;
      for await (const part of store.readParts(documentId)) {
        original.update(part);
        bytes += part.length;
      }
      const digest = original.digest('hex');
      if (bytes !== document.bytes || (expected ?? digest) !== digest)
        throw new Refusal('conflict', 'The file did not arrive as it was sent. Bring it again.');
      const text = createHash('sha256');
      let characters = 0;
      for await (const passages of store.readPassages(documentId, 1)) {
        for (const passage of passages) {
          text.update(passage.text);
          characters += passage.text.length;
        }
      }
      const facts = { pageCount, digest, textDigest: text.digest('hex'), characters };
      await store.complete(documentId, facts);
      embedding?.soon();
      return { ...document, ...facts, state: 'ready' };
    },

    read: find,

    async readPages(personId, documentId, from) {
      await find(personId, documentId);
      return await readPages(store, documentId, from);
    },

    async readOriginal(personId, documentId) {
      const document = await find(personId, documentId);
      return { document, content: store.readParts(documentId) };
    },

    async remove(personId, documentId) {
      const ofSpace = await parts.spaces.findDocument(documentId);
      // What has arrived in a space belongs to it; only its bringer may give up on what has not.
      if (ofSpace?.personId === personId && ofSpace.state === 'arriving') {
        await parts.spaces.removeDocument(ofSpace.projectId ?? '', documentId);
        sweepSoon();
        return;
      }
      if (!(await store.remove(personId, documentId))) {
        await find(personId, documentId);
        throw new Refusal('conflict', 'A message of yours refers to this document. Delete the message.');
      }
      sweepSoon();
    },

    start() {
      void repeat();
      embedding?.start();
    },

    async stop() {
      stopping.abort();
      await Promise.all([sweeping, embedding?.stop()]);
    },
  };

  /** One after the other for each owner: parts that come at once do not all find the same room. */
  async function writeInTurn(
    { personId, projectId }: StoredDocument,
    write: () => Promise<void>,
  ): Promise<void> {
    const owner = projectId ?? personId;
    const mine = (writing.get(owner) ?? Promise.resolve()).then(write);
    const over = mine.catch(() => {});
    writing.set(owner, over);
    await mine.finally(() => {
      if (writing.get(owner) === over) writing.delete(owner);
    });
  }

  async function requireRoom(
    { personId, projectId }: Pick<StoredDocument, 'personId' | 'projectId'>,
    bytes: number,
  ): Promise<void> {
    if (projectId !== undefined) {
      if ((await parts.spaces.countDocumentBytes(projectId)) + bytes > parts.storagePerProjectBytes)
        throw new Refusal(
          'storage_full',
          `The documents of this project take all of the ${mebibytes(parts.storagePerProjectBytes)} MiB that it has. Remove some.`,
        );
    } else if ((await parts.storedBytesOf(personId)) + bytes > parts.storagePerPersonBytes) {
      throw new Refusal(
        'storage_full',
        `Your chats and documents take all of the ${mebibytes(parts.storagePerPersonBytes)} MiB that you have. Delete some chats.`,
      );
    }
    if ((await store.countStoredBytes()) + bytes > parts.maxTotalBytes) {
      throw new Refusal(
        'storage_full',
        'There is no room for more documents on this service. Tell its operators.',
      );
    }
  }

  async function find(personId: string, documentId: string): Promise<StoredDocument> {
    const document = (await store.find(personId, documentId)) ?? (await findInSpace(personId, documentId));
    if (document === undefined)
      throw new Refusal('not_found', 'There is no such document. It may have been deleted.');
    return document;
  }

  /** For members of its project; one that is arriving for whoever brings it. */
  async function findInSpace(personId: string, documentId: string): Promise<StoredDocument | undefined> {
    const document = await parts.spaces.findDocument(documentId);
    if (document?.projectId === undefined || !parts.isMember(document.projectId, personId)) {
      // An administrator may bring something to a project without being in it.
      return document?.personId === personId && document.state === 'arriving' ? document : undefined;
    }
    return document.state === 'ready' || document.personId === personId ? document : undefined;
  }

  async function findArriving(personId: string, documentId: string): Promise<StoredDocument> {
    const document = await find(personId, documentId);
    if (document.state !== 'arriving')
      throw new Refusal('conflict', 'This document is complete. Bring it again to change it.');
    return document;
  }

  async function repeat(): Promise<void> {
    do sweepSoon();
    while (await pause(sweepEveryMs, true, { ref: false, signal }).catch(() => false));
  }

  /** One sweep after the other, in small steps, until nothing is left to do. */
  function sweepSoon(): void {
    sweeping = sweeping.then(sweep).catch((error: unknown) => {
      logger.error({ error }, 'documents that nobody needs could not be removed');
    });
  }

  async function sweep(): Promise<void> {
    while (!signal.aborted && (await store.purge(clock.wallMs() - unusedMs)) > 0)
      await pause(restMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 1024 ** 2);
}
