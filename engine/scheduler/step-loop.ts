import { Refusal } from '#vocabulary/refusal';
import type { Logger } from '#vocabulary/logger';
import type { LoadedModel } from '../native/loaded-model.ts';
import { createTokenChooser } from '../sampling/token-chooser.ts';
import type { TokenChooser, TokenScores } from '../sampling/token-chooser.ts';
import { createBetweenSteps } from './between-steps.ts';
import type { Directive, SequenceHandle, SequenceTask } from './sequence-task.ts';
import { createIdleReader } from './idle-reader.ts';
import { createSlots } from './slots.ts';
import type { Slot } from './slots.ts';
import { planStep } from './step-plan.ts';

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

interface Sequence {
  readonly task: SequenceTask;
  readonly outputTokens: number[];
  readonly promptScores: TokenScores[];
  pending: number[];
  /** Of forced tokens, those that have not had their turn. */
  forced: readonly number[];
  slot: Slot | undefined;
  chooser: TokenChooser | undefined;
  cachedTokens: number;
  isReading: boolean;
  hasLeft: boolean;
}

export interface StepLoopOptions {
  readonly model: LoadedModel;
  readonly maxWaiting: number;
  readonly logger: Logger;
}

/** Long enough that a program which asks again at once never waits for it. */
const restBeforeReadingMs = 150;
/** How long a step beside running streams may take while a prompt is being read. */
const stepBesideWritersMs = 60;

export function createStepLoop({ model, maxWaiting, logger }: StepLoopOptions): StepLoop {
  const { context } = model.bindings;
  const slots = createSlots(context, model.facts.slots);
  const idleReader = createIdleReader(context, slots, logger);
  const waiting: Sequence[] = [];
  let running: Sequence[] = [];
  const closing = new AbortController();
  let wake = (): void => {};
  const errands = createBetweenSteps(maxWaiting, () => wake());
  let millisecondsPerReadToken = 1;
  const totals = { steps: 0, promptTokens: 0, cachedTokens: 0, writtenTokens: 0 };

  const ended = runSteps();

  async function runSteps(): Promise<void> {
    while (!closing.signal.aborted) {
      sweep();
      await admitWaiting();
      await errands.runOne();
      if (running.length > 0) await takeStep();
      else await rest();
    }
    const reason = new Refusal('shutting_down', 'The engine is shutting down. Try again in a moment.');
    for (const sequence of [...running, ...waiting]) fail(sequence, reason);
    errands.refuseAll(reason);
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
    for (const { hasLeft, slot, chooser } of running) {
      if (!hasLeft) continue;
      if (slot !== undefined) slots.release(slot);
      chooser?.close();
    }
    running = running.filter(({ hasLeft }) => !hasLeft);
  }

  async function admitWaiting(): Promise<void> {
    while (waiting.length > 0 && slots.hasFree()) {
      const sequence = waiting.shift();
      if (sequence === undefined || sequence.hasLeft) continue;
      const { task } = sequence;
      const slot = await slots.claim(task.promptTokens, !task.scoresPrompt);
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
      running.push(sequence);
    }
  }

  async function takeStep(): Promise<void> {
    const startedMs = performance.now();
    const plan = planStep(
      running.map(({ pending, isReading }) => ({ pendingTokens: pending.length, isReading })),
      {
        batchTokens: model.batchTokens,
        chunkTokens: model.chunkTokens,
        readingTokensBesideWriters: Math.max(16, Math.floor(stepBesideWritersMs / millisecondsPerReadToken)),
      },
    );
    const moving = running.flatMap((sequence, index) => {
      const tokenCount = plan[index] ?? 0;
      return tokenCount > 0 && sequence.slot !== undefined
        ? [{ sequence, slot: sequence.slot, tokenCount }]
        : [];
    });
    const tokenCount = moving.reduce((total, move) => total + move.tokenCount, 0);

    context.initBatch(tokenCount);
    const ready = moving.map((move) => ({ ...move, logitIndexes: addToBatch(move) }));
    try {
      await context.decodeBatch();
    } catch (cause) {
      logger.error({ err: cause, tokenCount }, 'a step failed');
      for (const { sequence, slot } of moving) {
        slots.cut(slot, 0);
        fail(sequence, new Refusal('engine_failed', 'The engine could not go on. Try again.', { cause }));
      }
      return;
    }
    totals.steps += 1;
    if (tokenCount > moving.length * 4) {
      const measured = (performance.now() - startedMs) / tokenCount;
      millisecondsPerReadToken = millisecondsPerReadToken * 0.7 + measured * 0.3;
    }
    await Promise.all(
      ready.map(({ sequence, slot, tokenCount: taken, logitIndexes }) => {
        const isScored = sequence.task.scoresPrompt && sequence.isReading;
        const first = slot.tokens.length;
        slot.tokens.push(...sequence.pending.slice(0, taken));
        sequence.pending = sequence.pending.slice(taken);
        return advance(sequence, isScored ? first : undefined, logitIndexes);
      }),
    );
  }

  function addToBatch({ sequence, slot, tokenCount }: Move): Uint32Array {
    const tokens = Uint32Array.from(
      tokenCount === sequence.pending.length ? sequence.pending : sequence.pending.slice(0, tokenCount),
    );
    const wanted =
      sequence.task.scoresPrompt && sequence.isReading
        ? Uint32Array.from(tokens.keys())
        : tokenCount === sequence.pending.length
          ? Uint32Array.of(tokenCount - 1)
          : new Uint32Array(0);
    return context.addToBatch(slot.id, slot.tokens.length, tokens, wanted);
  }

  /** Never throws: what goes wrong in one sequence stays there. */
  async function advance(
    sequence: Sequence,
    firstScored: number | undefined,
    logitIndexes: Uint32Array,
  ): Promise<void> {
    try {
      if (firstScored !== undefined) await scorePrompt(sequence, firstScored, logitIndexes);
      const logitIndex = logitIndexes.at(-1);
      if (sequence.pending.length > 0 || logitIndex === undefined || sequence.hasLeft) return;
      if (sequence.isReading) {
        sequence.isReading = false;
        sequence.task.writer.promptRead({
          cachedTokens: sequence.cachedTokens,
          scores: sequence.promptScores,
        });
      }
      if ((await writeNext(sequence, logitIndex)) === 'finished') sequence.hasLeft = true;
    } catch (error) {
      fail(sequence, error instanceof Error ? error : new Error(String(error)));
    }
  }

  async function scorePrompt(sequence: Sequence, first: number, logitIndexes: Uint32Array): Promise<void> {
    for (const [offset, logitIndex] of logitIndexes.entries()) {
      const next = sequence.task.promptTokens[first + offset + 1];
      if (next === undefined || sequence.chooser === undefined) return;
      sequence.promptScores.push(await sequence.chooser.score(logitIndex, next));
    }
  }

  async function writeNext(sequence: Sequence, logitIndex: number): Promise<'continue' | 'finished'> {
    const { chooser, task } = sequence;
    const directive: Directive =
      sequence.forced.length > 0 ? { kind: 'forced', tokens: sequence.forced } : task.writer.nextDirective();
    if (directive.kind === 'end' || chooser === undefined) return 'finished';
    if (directive.kind === 'forced') {
      // With scores each token needs its own logits, so they are read one by one.
      const isScored = task.alternatives !== undefined;
      sequence.forced = isScored ? directive.tokens.slice(1) : [];
      for (const token of isScored ? directive.tokens.slice(0, 1) : directive.tokens) {
        const score = isScored ? await chooser.score(logitIndex, token) : undefined;
        if (accept(sequence, token, score) === 'finished') return 'finished';
      }
      return 'continue';
    }
    const choice =
      directive.kind === 'among'
        ? await chooser.chooseAmong(logitIndex, directive.allows)
        : await chooser.choose(logitIndex, directive.banned);
    return sequence.hasLeft ? 'finished' : accept(sequence, choice.token, choice.scores);
  }

  function accept(
    sequence: Sequence,
    token: number,
    scores: TokenScores | undefined,
  ): 'continue' | 'finished' {
    sequence.pending.push(token);
    sequence.outputTokens.push(token);
    totals.writtenTokens += 1;
    return sequence.task.writer.accept(token, scores);
  }

  function fail(sequence: Sequence, cause: Error): void {
    if (sequence.hasLeft) return;
    sequence.hasLeft = true;
    sequence.task.writer.failed(cause);
  }

  return {
    submit: (task) => {
      if (waiting.length >= maxWaiting) {
        throw new Refusal('queue_full', 'The engine is busy and its waiting line is full. Try again soon.', {
          retryAfterSeconds: 1,
        });
      }
      const sequence: Sequence = {
        task,
        outputTokens: [],
        promptScores: [],
        pending: [],
        forced: [],
        slot: undefined,
        chooser: undefined,
        cachedTokens: 0,
        isReading: true,
        hasLeft: false,
      };
      waiting.push(sequence);
      wake();
      return {
        cancel: () => cancel(sequence),
        readAhead: (text) => {
          if (sequence.slot !== undefined) idleReader.offer(sequence.slot, text);
        },
      };
    },
    betweenSteps: (work) => errands.run(work),
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

interface Move {
  readonly sequence: Sequence;
  readonly slot: Slot;
  readonly tokenCount: number;
}
