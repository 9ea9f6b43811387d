import { setTimeout as pause } from 'node:timers/promises';
import { Cancellation } from '#vocabulary/cancellation';
import type { Clock } from '#vocabulary/clock';
import { cutText } from '#vocabulary/cut-text';
import type { PlacedPassage, StoredDocument, VectorStore } from '#vocabulary/documents';
import {
  type ChosenEmbeddingModel,
  type Embedder,
  EmbeddingFailure,
  type EmbeddingModel,
} from '#vocabulary/embedding';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import { toBytes } from './directions.ts';

/** Longer documents, of about ten thousand passages, are found by their words alone. */
const maxCharacters = 10_000_000;
const passagesPerRead = 256;
/** What goes to an engine in one request. */
const textsPerBatch = 16;
const charactersPerBatch = 16_000;
const batchPatienceMs = 120_000;
/** A text that no engine takes, although it is as short as this, has no vector. */
const shortestCut = 200;
/** Something may have been left over, or brought to another gateway. */
const lookEveryMs = 15_000;
/** Then another gateway may take its turn. */
const stintMs = 20_000;
/** Between two small steps: people come first. */
const restMs = 20;
/** When an engine fails, the work rests, longer each time. */
const shortestRestMs = 5000;
const longestRestMs = 300_000;
/** So long a document rests whose owner has used up what they may, or nearly so. */
const ownerRestMs = 60_000;
/** When more than so many rest, the newest wait for them. */
const maxResting = 500;

/** Gives passages their vectors, in the background: one batch at a time, newest document first. */
export interface PassageEmbedder {
  start(): void;
  /** There is something new. */
  soon(): void;
  /** Resolves when the step under way is over. */
  stop(): Promise<void>;
}

export function createPassageEmbedder(parts: {
  readonly store: VectorStore;
  readonly embedder: Embedder;
  readonly model: () => EmbeddingModel;
  /** Refuses with `storage_full` what the owner of a document has no room for. */
  readonly requireRoom: (document: StoredDocument, bytes: number) => Promise<void>;
  /** Does what one gateway at a time should do. */
  readonly once: (duty: string, work: () => Promise<void>) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}): PassageEmbedder {
  const { store, clock, logger } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Until when. Nothing is lost with it: whoever has no vectors is found again. */
  const resting = new Map<string, number>();
  let wake = new AbortController();
  let failures = 0;
  let work: Promise<void> = Promise.resolve();

  return {
    start() {
      work = repeat();
    },
    soon: () => wake.abort(),
    async stop() {
      stopping.abort();
      wake.abort();
      await work;
    },
  };

  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      wake = new AbortController();
      let waitMs = lookEveryMs;
      await parts
        .once('passages into vectors', async () => {
          if (await workAWhile()) waitMs = restMs;
          failures = 0;
        })
        .catch((error: unknown) => {
          waitMs = Math.min(longestRestMs, shortestRestMs * 2 ** failures++);
          if (!signal.aborted)
            logger.warn({ error }, 'passages could not be given vectors; tried again later');
        });
      // What is new does not hurry an engine that fails.
      const woken = failures > 0 ? signal : wake.signal;
      await pause(waitMs, undefined, { ref: false, signal: woken }).catch(() => undefined);
    }
  }

  /** True when there is more to do. */
  async function workAWhile(): Promise<boolean> {
    const endsAtMs = clock.monotonicMs() + stintMs;
    const isTime = () => !signal.aborted && clock.monotonicMs() < endsAtMs;
    const model = parts.model();
    if (model.kind === 'none') return false;
    while (isTime()) {
      if (model.kind === 'off') {
        const documentId = await store.findEmbedded();
        if (documentId === undefined) return false;
        await dropVectors(documentId, undefined, isTime);
        continue;
      }
      const except = stillResting();
      if (except.length > maxResting) return false;
      const document = await store.findUnembedded(model.vectorsName, maxCharacters, except);
      if (document === undefined) return false;
      await embedDocument(document, model, isTime).catch((error: unknown) => {
        if (!isOfTheOwner(error)) throw error;
        rest(document);
      });
    }
    return true;
  }

  async function embedDocument(
    document: StoredDocument,
    model: ChosenEmbeddingModel,
    isTime: () => boolean,
  ): Promise<void> {
    const { vectorsName } = model;
    await dropVectors(document.id, vectorsName, isTime);
    while (isTime()) {
      const passages = await store.readUnembedded(document.id, passagesPerRead);
      if (passages.length === 0) return await store.markEmbedded(document.id, vectorsName);
      for (const batch of batchesOf(passages)) {
        if (!isTime()) return;
        const { vectors, isNearLimit } = await embedBatch(document, model, batch);
        const bytes = vectors.reduce((sum, { vector }) => sum + vector.length, 0);
        await parts.requireRoom(document, bytes);
        await store.addVectors(document.id, vectorsName, vectors);
        if (isNearLimit) return rest(document);
        await pause(restMs, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
  }

  async function dropVectors(
    documentId: string,
    except: string | undefined,
    isTime: () => boolean,
  ): Promise<void> {
    while (isTime() && (await store.dropVectors(documentId, except)) > 0)
      await pause(restMs, undefined, { ref: false, signal }).catch(() => undefined);
  }

  async function embedBatch(
    document: StoredDocument,
    { id: modelId, passagePrefix }: ChosenEmbeddingModel,
    batch: readonly PlacedPassage[],
  ) {
    let isNearLimit = false;
    let isEngineWell = false;
    const vectors = await embedAll(batch.map(({ text }) => text));
    return {
      isNearLimit,
      vectors: batch.map(({ position }, index) => ({
        position,
        vector: toBytes(vectors[index] ?? new Float32Array()),
      })),
    };

    /** Texts that an engine does not take are tried one by one, and shorter; what it never takes has no vector. */
    async function embedAll(texts: readonly string[]): Promise<readonly (Float32Array | undefined)[]> {
      try {
        return await ask(texts);
      } catch (error) {
        if (!(error instanceof EmbeddingFailure && error.isOfTheTexts)) throw error;
      }
      if (!isEngineWell) {
        // One that takes nothing at all makes no vectors: that is no fault of the texts.
        await ask(['text']).catch((error: unknown) => {
          throw error instanceof EmbeddingFailure
            ? new EmbeddingFailure(error.message, error.code, false)
            : error;
        });
        isEngineWell = true;
      }
      const [text = ''] = texts;
      if (texts.length === 1)
        return text.length <= shortestCut
          ? [undefined]
          : await embedAll([cutText(text, Math.floor(text.length / 2))]);
      const middle = Math.ceil(texts.length / 2);
      return [...(await embedAll(texts.slice(0, middle))), ...(await embedAll(texts.slice(middle)))];
    }

    async function ask(texts: readonly string[]): Promise<readonly Float32Array[]> {
      const cancellation = new Cancellation();
      const giveUp = () => cancellation.cancel('shutdown');
      const timer = setTimeout(() => cancellation.cancel('stopped'), batchPatienceMs).unref();
      signal.addEventListener('abort', giveUp);
      try {
        if (signal.aborted) giveUp();
        const { personId, projectId } = document;
        const owner = { personId, projectId, isForSpace: projectId !== undefined };
        const embedded = await parts.embedder.embed({
          modelId,
          texts: texts.map((text) => passagePrefix + text),
          ...owner,
          lane: 'background',
          cancellation,
        });
        isNearLimit ||= embedded.isNearLimit;
        return embedded.vectors;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      }
    }
  }

  function rest({ id }: StoredDocument): void {
    resting.set(id, clock.monotonicMs() + ownerRestMs);
  }

  function stillResting(): readonly string[] {
    for (const [id, untilMs] of resting) if (untilMs <= clock.monotonicMs()) resting.delete(id);
    return [...resting.keys()];
  }
}

/** The others need not wait for it. */
function isOfTheOwner(error: unknown): boolean {
  const code = error instanceof EmbeddingFailure || error instanceof Refusal ? error.code : '';
  return ownersFaults.has(code);
}

const ownersFaults: ReadonlySet<string> = new Set([
  'rate_limit_exceeded',
  'insufficient_quota',
  'permission_denied',
  'model_not_permitted',
  'project_ended',
  'access_withdrawn',
  'storage_full',
]);

function batchesOf(passages: readonly PlacedPassage[]): readonly (readonly PlacedPassage[])[] {
  const batches: PlacedPassage[][] = [];
  let characters = Infinity;
  for (const passage of passages) {
    const last = batches.at(-1);
    characters += passage.text.length;
    if (last === undefined || last.length >= textsPerBatch || characters > charactersPerBatch) {
      batches.push([passage]);
      characters = passage.text.length;
    } else {
      last.push(passage);
    }
  }
  return batches;
}
