/**
 * How does an answer outlive the connection of its reader? Whoever asks for it gets frames with numbers; the answer is
 * kept for a while, goes on without a reader, and is read on from any number by whoever asked for it, and nobody else.
 */
import type { KeyCaller } from '#vocabulary/caller';
import { Refusal } from '#vocabulary/refusal';
import type { WitnessedAnswer } from '#vocabulary/witnessed-answer';
import { KeptStream, type KeptStreamParts, type StreamReader } from './kept-stream.ts';
import { createKeptRoom, type KeptRoomLimits } from './kept-room.ts';

export interface ContinuityLimits extends KeptRoomLimits {
  /** The longest time for which an answer is kept; 0 keeps none. */
  readonly longestMs: number;
}

export interface Continuity {
  /** An answer that may lose its reader; also where there is no room to keep it, which its headers tell. */
  open(wish: KeptWish & { readonly reader: StreamReader }): KeptStream;
  /** One that another gateway has begun; undefined when there is no room to keep it. */
  inherit(wish: KeptWish, answer: WitnessedAnswer): KeptStream | undefined;
  /** Whether it is kept here for this person; one that was named, also before it begins. */
  keeps(id: string, personId: string): boolean;
  /** Whether it has yet to begin. Whoever asks waits for it: it is not given up in the meantime. */
  isAwaited(id: string): boolean;
  /**
   * Gives the rest of an answer, from the frame after this number on. Throws a refusal where there is none to give, and
   * to whoever asks another question under the same name.
   */
  resume(id: string, personId: string, after: number, reader: StreamReader, question?: string): void;
  stats(): ContinuityStats;
  /** Hands on those of which others know, and forgets the rest. */
  stop(): void;
}

export interface KeptWish {
  readonly id: string;
  readonly owner: Pick<KeyCaller, 'keyId' | 'personId'>;
  readonly seconds: number;
  /** What was asked under a name. An answer with a name is here from the moment in which it is asked for. */
  readonly question?: string | undefined;
  /** Tells another gateway of it, where there is one. */
  readonly tell: KeptStreamParts['tell'];
}

export interface ContinuityStats {
  readonly streams: number;
  readonly bytes: number;
  /** How often somebody came back. */
  readonly resumed: number;
  /** How many were given up because nobody came back in time. */
  readonly abandoned: number;
  /** How many were begun by a gateway that died. */
  readonly inherited: number;
}

export function createContinuity(limits: ContinuityLimits): Continuity {
  const kept = new Map<string, { stream: KeptStream; personId: string; question: string | undefined }>();
  const room = createKeptRoom(limits);
  let resumed = 0;
  let abandoned = 0;
  let inherited = 0;

  return {
    open: (wish) => create(wish, wish.reader),
    inherit(wish, answer) {
      if (kept.has(wish.id)) return undefined;
      const stream = create(wish, undefined);
      if (!stream.inherit(answer)) return undefined;
      inherited++;
      return stream;
    },
    keeps: (id, personId) => kept.get(id)?.personId === personId,
    isAwaited: (id) => kept.get(id)?.stream.isAwaited() === true,
    resume(id, personId, after, reader, question) {
      const found = kept.get(id);
      if (found === undefined || found.personId !== personId) throw unknownStream();
      if (question !== undefined && found.question !== undefined && question !== found.question)
        throw otherQuestion();
      if (!found.stream.has(after)) throw forgottenBeginning();
      resumed++;
      found.stream.attach(reader, after);
    },
    stats: () => ({ streams: kept.size, bytes: room.bytes, resumed, abandoned, inherited }),
    stop() {
      for (const { stream } of kept.values()) if (!stream.handOn()) stream.forget();
    },
  };

  function create(wish: KeptWish, reader: StreamReader | undefined): KeptStream {
    const { id, owner, seconds, question, tell } = wish;
    const keepMs = Math.min(seconds * 1000, limits.longestMs);
    const stream: KeptStream = new KeptStream({
      reader,
      keepMs,
      tell,
      takePlace: () => (keepMs > 0 ? room.takePlace(owner.keyId) : undefined),
      onKept: () => kept.set(id, { stream, personId: owner.personId, question }),
      onAbandon: () => abandoned++,
      onOver() {
        // Its name may be another answer's by now.
        if (kept.get(id)?.stream === stream) kept.delete(id);
      },
    });
    if (question !== undefined && reader !== undefined) stream.keepFromNowOn();
    return stream;
  }
}

/** The same for what never was, what is over and what belongs to somebody else. */
function unknownStream(): Refusal {
  return new Refusal(
    'not_found',
    'There is no such stream. It was never kept (send `Gatehouse-Resume` with the request), or its time is over. Ask again.',
  );
}

function otherQuestion(): Refusal {
  return new Refusal(
    'conflict',
    'Another question was asked under this name. Ask this one under a name of its own.',
    { param: 'Gatehouse-Resume' },
  );
}

export function forgottenBeginning(): Refusal {
  return new Refusal(
    'stream_not_kept',
    'The frames after this `Last-Event-ID` are not kept, or were never written. Ask again.',
    { param: 'Last-Event-ID' },
  );
}

export { type AnswerFiles, createAnswerFiles } from './answer-files.ts';
export { namedAnswerId, questionDigest } from './answer-name.ts';
export type { KeptStream } from './kept-stream.ts';
export { createNameClaims, type NameClaims } from './name-claims.ts';
export { createWitnessBook, type WitnessBook } from './witness-book.ts';
export { createWitnesses, type Witnesses } from './witnesses.ts';
