import { Refusal } from '#vocabulary/refusal';
import type { Logger } from '#vocabulary/logger';
import type { LoadedModel } from '../native/loaded-model.ts';
import { createTokenChooser } from '../sampling/token-chooser.ts';
import { createBetweenSteps } from './between-steps.ts';
import { createIdleReader } from './idle-reader.ts';
import { createSequence, goOn } from './sequence.ts';
import type { Sequence } from './sequence.ts';
import type { SequenceHandle, SequenceTask } from './sequence-task.ts';
import { createSlots } from './slots.ts';
import type { Slot } from './slots.ts';
import { createStepPlanner } from './step-planner.ts';
import type { StepMove } from './step-planner.ts';

/**
 * The heart of the engine: one loop that moves all sequences one step at a time through one batch. Sequences
 * join and leave between steps. Waiting is bounded by `maxWaiting`; whoever comes later is refused.
 */
export interface StepLoop {
  submit(task: SequenceTask): SequenceHandle;
  /** Other native work, never at the same time as a step. */
  betweenSteps<Value>(work: () => Promise<Value>): Promise<Value>;
  counts(): LoopCounts;
  /** Fails what is still running and resolves after the step in flight. */
  close(): Promise<void>;
}

export interface LoopCounts {
  readonly running: number;
  readonly waiting: number;
  readonly steps: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  readonly aheadTokens: number;
}

export interface StepLoopOptions {
  readonly model: LoadedModel;
  readonly maxWaiting: number;
  readonly logger: Logger;
  /** Called once when no step succeeds any more; everybody has been told. Only a new process helps. */
  readonly onBroken: (cause: Error) => void;
}

/** So many sequences in a row that cannot be read even alone are not the sequences' fault. */
const failuresUntilBroken = 3;
/** Long enough that a program which asks again at once never waits for it. */
const restBeforeReadingMs = 150;
/** Tokens of a draft that are read beside others who write. */
const draftTokensBesideOthers = 16;

export function createStepLoop({ model, maxWaiting, logger, onBroken }: StepLoopOptions): StepLoop {
  const { context } = model.bindings;
  const slots = createSlots(context, model.facts.slots);
  const planner = createStepPlanner(model);
  const idleReader = createIdleReader(context, slots, logger);
  const waiting: Sequence[] = [];
  let running: Sequence[] = [];
  const closing = new AbortController();
  let wake = (): void => {};
  const errands = createBetweenSteps(maxWaiting, () => wake());
  let failuresInARow = 0;
  const totals = { steps: 0, promptTokens: 0, cachedTokens: 0, writtenTokens: 0 };

  let lastReason = new Refusal('shutting_down', 'The engine is shutting down. Try again in a moment.');

  const ended = runSteps().then(endAll, (cause: unknown) => {
    closing.abort();
    lastReason = new Refusal('engine_failed', 'The engine broke down and starts anew. Try again.', { cause });
    endAll();
    onBroken(asError(cause));
  });

  async function runSteps(): Promise<void> {
    while (!closing.signal.aborted) {
      sweep();
      await admitWaiting();
      await errands.runOne();
      await slots.closeRanks();
      if (running.length > 0) await takeStep();
      else await rest();
    }
  }

  function endAll(): void {
    for (const sequence of [...running, ...waiting.splice(0)]) fail(sequence, lastReason);
    errands.refuseAll(lastReason);
    sweep();
  }

  async function rest(): Promise<void> {
    const isWoken = await new Promise<boolean>((resolve) => {
      const timer = idleReader.hasWork ? setTimeout(() => resolve(false), restBeforeReadingMs) : undefined;
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
      if (isNeeded()) wake();
    });
    if (isWoken) return;
    while (idleReader.hasWork && !isNeeded()) await idleReader.readSome();
  }

  function isNeeded(): boolean {
    return waiting.length > 0 || errands.hasWork || closing.signal.aborted;
  }

  /** Only between steps: a native sampler must not be freed while a step uses it. */
  function sweep(): void {
    for (const sequence of running) {
      const { hasLeft, slot, chooser } = sequence;
      if (!hasLeft) continue;
      planner.left(sequence);
      if (slot !== undefined) slots.release(slot);
      try {
        chooser?.close();
      } catch (error) {
        logger.error({ error }, 'a sampler could not be given back');
      }
    }
    running = running.filter(({ hasLeft }) => !hasLeft);
  }

  async function admitWaiting(): Promise<void> {
    while (waiting.length > 0 && slots.hasFree()) {
      const sequence = waiting.shift();
      if (sequence === undefined || sequence.hasLeft) continue;
      try {
        await admit(sequence);
      } catch (error) {
        fail(sequence, asError(error));
      }
    }
  }

  async function admit(sequence: Sequence): Promise<void> {
    const { task } = sequence;
    const slot = await slots.claim(task.promptTokens, task.cacheSalt, !task.scoresPrompt);
    sequence.slot = slot;
    sequence.cachedTokens = slot.tokens.length;
    sequence.pending = task.promptTokens.slice(slot.tokens.length);
    sequence.chooser = createTokenChooser({
      bindings: model.bindings,
      parameters: task.sampling,
      history: { promptTokens: task.promptTokens, outputTokens: sequence.outputTokens },
      contextTokens: model.facts.contextTokens,
      alternatives: task.alternatives,
    });
    totals.promptTokens += task.promptTokens.length;
    totals.cachedTokens += sequence.cachedTokens;
    planner.joined(sequence);
    running.push(sequence);
  }

  async function takeStep(): Promise<void> {
    const plan = planner.plan(running);
    let spareTokens = model.batchTokens - plan.reduce((total, tokens) => total + tokens, 0);
    const moving = running.flatMap((sequence, index) => {
      const tokenCount = plan[index] ?? 0;
      if (tokenCount === 0 || sequence.slot === undefined) return [];
      const drafted = draftFor(sequence, tokenCount, Math.min(spareTokens, model.chunkTokens - tokenCount));
      spareTokens -= drafted.length;
      return [{ sequence, slot: sequence.slot, tokenCount, drafted }];
    });
    // Only neighbours in rising order are computed together: any other order falls apart into several passes.
    await moveAll(moving.toSorted((one, other) => one.slot.id - other.slot.id));
  }

  /** What is read ahead keeps others who write waiting as little as a prompt does. */
  function draftFor(sequence: Sequence, tokenCount: number, mostTokens: number): readonly number[] {
    const { task, pending, outputTokens, isReading, isDraftable, forced } = sequence;
    const isReady = !isReading && isDraftable && tokenCount === pending.length && forced.length === 0;
    if (task.draft === undefined || !isReady) return [];
    const room = model.facts.contextTokens - task.promptTokens.length - outputTokens.length;
    const most = running.length === 1 ? mostTokens : Math.min(mostTokens, draftTokensBesideOthers);
    return task.draft.next(Math.min(most, room));
  }

  /** What cannot be read together is tried one by one, so that a bad sequence ends itself and nobody else. */
  async function moveAll(moves: readonly Move[]): Promise<void> {
    const startedMs = performance.now();
    const tokenCount = moves.reduce((total, move) => total + move.tokenCount + move.drafted.length, 0);
    let logitIndexes: readonly Uint32Array[];
    try {
      context.initBatch(tokenCount);
      logitIndexes = moves.map(addToBatch);
      await context.decodeBatch();
    } catch (error) {
      await moveApart(moves, error);
      return;
    }
    failuresInARow = 0;
    totals.steps += 1;
    planner.took(moves, performance.now() - startedMs);
    await Promise.all(moves.map((move, index) => advance(move, logitIndexes[index] ?? new Uint32Array(0))));
  }

  async function moveApart(moves: readonly Move[], cause: unknown): Promise<void> {
    logger.error({ error: cause, sequences: moves.length }, 'a step failed');
    const reason = new Refusal('engine_failed', 'The engine could not go on. Try again.', { cause });
    for (const move of moves) {
      const canGoOn = slots.rewind(move.slot) && moves.length > 1;
      if (canGoOn) await moveAll([move]);
      else {
        slots.cut(move.slot, 0);
        fail(move.sequence, reason);
      }
    }
    failuresInARow += moves.length === 1 ? 1 : 0;
    if (failuresInARow >= failuresUntilBroken) throw cause;
  }

  function addToBatch({ sequence, slot, tokenCount, drafted }: Move): Uint32Array {
    const pending =
      tokenCount === sequence.pending.length ? sequence.pending : sequence.pending.slice(0, tokenCount);
    const tokens = Uint32Array.from(drafted.length === 0 ? pending : [...pending, ...drafted]);
    const wanted =
      sequence.task.scoresPrompt && sequence.isReading
        ? Uint32Array.from(tokens.keys())
        : tokenCount === sequence.pending.length
          ? Uint32Array.from(tokens.keys()).subarray(tokenCount - 1)
          : new Uint32Array(0);
    return context.addToBatch(slot.id, slot.tokens.length, tokens, wanted);
  }

  /** Never throws: what goes wrong in one sequence stays there. */
  async function advance(move: Move, logitIndexes: Uint32Array): Promise<void> {
    const { sequence, slot, tokenCount, drafted } = move;
    const position = slot.tokens.length;
    const written = sequence.outputTokens.length;
    slot.tokens.push(...sequence.pending.slice(0, tokenCount), ...drafted);
    sequence.pending = sequence.pending.slice(tokenCount);
    try {
      const { state, draftedRight } = await goOn(sequence, position, logitIndexes, drafted);
      if (draftedRight < drafted.length) takeBack(move, position + tokenCount + draftedRight);
      if (state === 'finished') sequence.hasLeft = true;
    } catch (error) {
      fail(sequence, asError(error));
    }
    totals.writtenTokens += sequence.outputTokens.length - written;
  }

  /** What was drafted and not chosen was never there. Where the cache cannot be cut, all of it is read again. */
  function takeBack({ sequence, slot }: Move, length: number): void {
    slots.cut(slot, length);
    if (slot.tokens.length === length) return;
    sequence.pending = [...sequence.task.promptTokens, ...sequence.outputTokens].slice(slot.tokens.length);
    sequence.isDraftable = false;
  }

  function fail(sequence: Sequence, cause: Error): void {
    if (sequence.hasLeft) return;
    sequence.hasLeft = true;
    if (!(cause instanceof Refusal)) logger.error({ error: cause }, 'a sequence failed');
    try {
      sequence.task.writer.failed(cause);
    } catch (error) {
      logger.error({ error }, 'a failure could not be told');
    }
  }

  return {
    submit: (task) => {
      if (closing.signal.aborted) throw lastReason;
      if (waiting.length >= maxWaiting) {
        throw new Refusal('queue_full', 'The engine is busy and its waiting line is full. Try again soon.', {
          retryAfterSeconds: 1,
        });
      }
      const sequence = createSequence(task);
      waiting.push(sequence);
      wake();
      return {
        cancel: () => cancel(sequence),
        readAhead: (text) => {
          if (sequence.slot !== undefined) idleReader.offer(sequence.slot, text);
        },
      };
    },
    betweenSteps: async (work) => {
      if (closing.signal.aborted) throw lastReason;
      return errands.run(work);
    },
    counts: () => ({
      running: running.filter(({ hasLeft }) => !hasLeft).length,
      waiting: waiting.length,
      ...totals,
      aheadTokens: idleReader.readTokens,
    }),
    close: async () => {
      closing.abort();
      wake();
      await ended;
    },
  };

  function cancel(sequence: Sequence): void {
    const place = waiting.indexOf(sequence);
    if (place >= 0) waiting.splice(place, 1);
    sequence.hasLeft = true;
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

interface Move extends StepMove {
  readonly slot: Slot;
}
