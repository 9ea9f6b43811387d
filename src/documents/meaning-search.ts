import { createHash } from 'node:crypto';
import { Cancellation } from '#vocabulary/cancellation';
import type { Clock } from '#vocabulary/clock';
import type { MeaningAsk, MeaningSearch, VectorStore } from '#vocabulary/documents';
import {
  type ChosenEmbeddingModel,
  type Embedder,
  EmbeddingFailure,
  type EmbeddingModel,
} from '#vocabulary/embedding';
import type { Logger } from '#vocabulary/logger';
import { nearness } from './directions.ts';

/** Nobody waits longer for a question to become a vector, and nobody at all for a while after somebody did. */
const patienceMs = 2000;
const silentPauseMs = 30_000;
/** Passages that one question is compared with; what is beyond is found by its words. */
const maxCompared = 20_000;
/** A question is asked again when tools have answered. The oldest is forgotten. */
const maxRemembered = 64;
/** More says no more about what is meant. */
const maxQuestionCharacters = 2000;

export function createMeaningSearch(parts: {
  readonly store: VectorStore;
  readonly embedder: Embedder;
  readonly model: () => EmbeddingModel;
  readonly clock: Clock;
  readonly logger: Logger;
}): MeaningSearch {
  const { store, clock, logger } = parts;
  const remembered = new Map<string, Float32Array>();
  let pausedUntilMs = 0;

  return {
    async search(ask) {
      const model = parts.model();
      if (model.kind !== 'model' || ask.question.trim() === '') return { found: [], outcome: 'notSearched' };
      const documents = ask.documents.filter(({ embeddedBy }) => embeddedBy === model.vectorsName);
      if (documents.length === 0) return { found: [], outcome: 'notSearched' };
      const question = await vectorOf(ask, model);
      if (typeof question === 'string') return { found: [], outcome: question };
      const nearest = await compare(
        documents.map(({ id }) => id),
        model.vectorsName,
        question,
        ask.limit,
      );
      const passages = await store.readPassagesAt(nearest);
      const byPosition = new Map(passages.map(({ position, ...passage }) => [position, passage]));
      return { found: nearest.flatMap((position) => byPosition.get(position) ?? []), outcome: 'searched' };
    },
  };

  /** What is told instead, when it cannot be had in time or may not be had at all. */
  async function vectorOf(
    { personId, projectId, question }: MeaningAsk,
    { id: modelId, queryPrefix }: ChosenEmbeddingModel,
  ): Promise<Float32Array | 'failed' | 'notSearched'> {
    const text = queryPrefix + question.slice(0, maxQuestionCharacters);
    const key = createHash('sha256').update(`${modelId}\0${personId}\0${text}`).digest('base64');
    const known = remembered.get(key);
    if (known !== undefined) return known;
    if (clock.monotonicMs() < pausedUntilMs) return 'failed';
    const cancellation = new Cancellation();
    const timer = setTimeout(() => cancellation.cancel('stopped'), patienceMs).unref();
    try {
      const { vectors } = await parts.embedder.embed({
        modelId,
        texts: [text],
        personId,
        projectId,
        lane: 'interactive',
        cancellation,
      });
      const [vector] = vectors;
      if (vector === undefined) return 'failed';
      remember(key, vector);
      return vector;
    } catch (error) {
      if (!(error instanceof EmbeddingFailure)) throw error;
      // A project may leave the model out of its own.
      if (error.code === 'model_not_permitted') return 'notSearched';
      if (cancellation.isCancelled) pausedUntilMs = clock.monotonicMs() + silentPauseMs;
      logger.warn({ model: modelId, error }, 'documents are searched by their words alone');
      return 'failed';
    } finally {
      clearTimeout(timer);
    }
  }

  function remember(key: string, vector: Float32Array): void {
    remembered.set(key, vector);
    const [oldest] = remembered.keys();
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
  }

  /** The places of the nearest passages. Between two reads others have their turn. */
  async function compare(
    documentIds: readonly string[],
    vectorsName: string,
    question: Float32Array,
    limit: number,
  ): Promise<readonly number[]> {
    let nearest: { readonly position: number; readonly score: number }[] = [];
    let left = maxCompared;
    for (const documentId of documentIds) {
      if (left <= 0) break;
      for await (const slice of store.readVectors(documentId, vectorsName)) {
        const scored = slice
          .filter(({ vector }) => vector.length === question.length)
          .map(({ position, vector }) => ({ position, score: nearness(question, vector) }));
        nearest = [...nearest, ...scored].toSorted((one, other) => other.score - one.score).slice(0, limit);
        left -= slice.length;
        if (left <= 0) break;
      }
    }
    return nearest.map(({ position }) => position);
  }
}
