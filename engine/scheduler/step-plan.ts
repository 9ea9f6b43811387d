/** What one sequence still has to read before its next token can be chosen. */
export interface PendingWork {
  readonly pendingTokens: number;
  /** True while the prompt is being read, false once it writes. */
  readonly isReading: boolean;
  /** Whose it is; empty when it is nobody's in particular. */
  readonly member: string;
  /** Work that this member has been given so far, against the others. */
  readonly given: number;
  /** Of one member's prompts the one with the lowest is read first. */
  readonly turn: number;
}

export interface StepLimits {
  readonly batchTokens: number;
  readonly chunkTokens: number;
  /** Prompt tokens between two words of those who are writing, so that streams keep flowing; 16 at least. */
  readonly readingTokensBesideWriters: number;
  /** Prompt tokens for the sake of which those who have several answers wait for their next word. */
  readonly readingTokensInAPause: number;
}

/** Whoever has so many under way can wait for a moment with all of them. */
const several = 3;

/** Less than this is no help to a second prompt: it costs a pass of its own, and the rest another one. */
const leastPieceTokens = 16;

/**
 * How many tokens each sequence gets in the next step. A step writes or reads: llama.cpp computes sequences with
 * different numbers of tokens in separate passes anyway, and whoever comes waits for a shorter step.
 *
 * Prompts are read one after another, first that of the member who has been given the least. Somebody's only
 * question goes before everything of those who have several, their next words too: until its prompt is read, or for
 * as long as a pause may be.
 */
export function planStep(
  work: readonly PendingWork[],
  limits: StepLimits,
  /** Prompt tokens read since the last step in which everybody wrote. */
  readSinceWriting: number,
): number[] {
  const writers = work.filter(({ isReading }) => !isReading);
  const readers = work.filter(({ isReading }) => isReading).toSorted(byRight);
  const [first] = readers;
  if (first === undefined) return planOf(work, writing(writers, limits));

  const isOnlyOne = first.member !== '' && countOf(first.member, work) === 1;
  const lets = (other: PendingWork): boolean =>
    isOnlyOne && other.given > first.given && countOf(other.member, work) >= several;
  const pauseLeft = writers.length === 0 ? Infinity : limits.readingTokensInAPause - readSinceWriting;
  if (pauseLeft > 0 && work.some(lets)) {
    const others = writers.filter((writer) => !lets(writer));
    const tokens = Math.max(pauseLeft, limits.readingTokensBesideWriters);
    return planOf(work, new Map([...writing(others, limits), ...reading([first], tokens, limits)]));
  }
  if (writers.length === 0) return planOf(work, reading(readers, limits.chunkTokens, limits));
  const left = limits.readingTokensBesideWriters - readSinceWriting;
  return planOf(work, left < leastPieceTokens ? writing(writers, limits) : reading(readers, left, limits));
}

function byRight(one: PendingWork, other: PendingWork): number {
  return one.given - other.given || one.turn - other.turn;
}

function countOf(member: string, work: readonly PendingWork[]): number {
  return work.reduce((count, one) => (one.member === member ? count + 1 : count), 0);
}

type Pieces = ReadonlyMap<PendingWork, number>;

/** Everybody moves; whoever has words to write that are already settled writes several. */
function writing(writers: readonly PendingWork[], { batchTokens, chunkTokens }: StepLimits): Pieces {
  const each = Math.max(1, Math.min(chunkTokens, Math.floor(batchTokens / Math.max(1, writers.length))));
  return new Map(writers.map((writer) => [writer, Math.min(writer.pendingTokens, each)]));
}

function reading(readers: readonly PendingWork[], budget: number, { chunkTokens }: StepLimits): Pieces {
  const pieces = new Map<PendingWork, number>();
  let left = Math.min(budget, chunkTokens);
  for (const reader of readers) {
    const tokens = Math.min(reader.pendingTokens, left);
    const isWorthIt = pieces.size === 0 || tokens === reader.pendingTokens || tokens >= leastPieceTokens;
    if (tokens === 0 || !isWorthIt) break;
    pieces.set(reader, tokens);
    left -= tokens;
  }
  return pieces;
}

function planOf(work: readonly PendingWork[], pieces: Pieces): number[] {
  return work.map((one) => pieces.get(one) ?? 0);
}
