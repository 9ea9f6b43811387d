import { createMemberShares } from './member-shares.ts';
import type { Sequence } from './sequence.ts';
import { planStep } from './step-plan.ts';

/** Which sequences move in the next step, by what the steps before it have taken and given. */
export interface StepPlanner {
  joined(sequence: Sequence): void;
  left(sequence: Sequence): void;
  /** How many tokens each of them gets. */
  plan(running: readonly Sequence[]): number[];
  /** A step was taken; told before its sequences go on. */
  took(moves: readonly StepMove[], milliseconds: number): void;
}

export interface StepMove {
  readonly sequence: Sequence;
  readonly tokenCount: number;
  /** Read behind them, before anybody has chosen them. */
  readonly drafted: readonly number[];
}

export interface StepPlannerOptions {
  readonly batchTokens: number;
  readonly chunkTokens: number;
}

/** How long prompts may be read between two words of everybody who is writing. */
const readingBesideWritersMs = 60;
/** A fast machine reads much in that time; streams are to flow all the more smoothly there. */
const mostPiecesBesideWriters = 2;
/** How long the answers of those who have several may stand still for somebody's only question. */
const pauseMs = 250;
const leastReadingTokens = 16;
/** A written token takes about as long as three that are read. */
const writtenTokenCost = 3;
/** After so many tokens another prompt of the same member has its turn. */
const turnTokens = 248;

export function createStepPlanner({ batchTokens, chunkTokens }: StepPlannerOptions): StepPlanner {
  const shares = createMemberShares();
  let millisecondsPerReadToken = 1;
  let readSinceWriting = 0;
  let turns = 0;

  /** Where words were written beside it, they would count as reading: only steps that just read are measured. */
  function measure(moves: readonly StepMove[], milliseconds: number): void {
    const tokens = moves.reduce((total, { tokenCount }) => total + tokenCount, 0);
    if (tokens < leastReadingTokens || moves.some(({ sequence }) => !sequence.isReading)) return;
    millisecondsPerReadToken = millisecondsPerReadToken * 0.7 + (milliseconds / tokens) * 0.3;
  }

  return {
    joined(sequence) {
      shares.join(sequence.task.member);
      sequence.turn = turns++;
    },
    left: ({ task }) => shares.leave(task.member),
    plan: (running) =>
      planStep(
        running.map(({ pending, isReading, task, turn }) => ({
          pendingTokens: pending.length,
          isReading,
          member: task.member,
          given: shares.given(task.member),
          turn,
        })),
        {
          batchTokens,
          chunkTokens,
          readingTokensBesideWriters: Math.max(
            leastReadingTokens,
            Math.min(
              mostPiecesBesideWriters * chunkTokens,
              Math.floor(readingBesideWritersMs / millisecondsPerReadToken),
            ),
          ),
          readingTokensInAPause: Math.floor(pauseMs / millisecondsPerReadToken),
        },
        readSinceWriting,
      ),
    took(moves, milliseconds) {
      measure(moves, milliseconds);
      let read = 0;
      for (const { sequence, tokenCount, drafted } of moves) {
        const cost = tokenCount * (sequence.isReading ? 1 : writtenTokenCost) + drafted.length;
        shares.charge(sequence.task.member, cost);
        if (!sequence.isReading) continue;
        read += tokenCount;
        sequence.readInTurn += tokenCount;
        if (sequence.readInTurn < turnTokens) continue;
        sequence.readInTurn = 0;
        sequence.turn = turns++;
      }
      readSinceWriting = read === 0 ? 0 : readSinceWriting + read;
    },
  };
}
