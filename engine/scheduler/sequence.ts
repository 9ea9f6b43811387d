import type { TokenChooser, TokenScores } from '../sampling/token-chooser.ts';
import type { Directive, SequenceTask } from './sequence-task.ts';
import type { Slot } from './slots.ts';

/** A task on its way through the step loop. */
export interface Sequence {
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
  /** When its prompt is read, among those of the same member; a long one has several turns. */
  turn: number;
  readInTurn: number;
  /** Until it turns out that what was read cannot be taken back. */
  isDraftable: boolean;
  hasLeft: boolean;
}

export function createSequence(task: SequenceTask): Sequence {
  return {
    task,
    outputTokens: [],
    promptScores: [],
    pending: [],
    forced: [],
    slot: undefined,
    chooser: undefined,
    cachedTokens: 0,
    isReading: true,
    turn: 0,
    readInTurn: 0,
    isDraftable: true,
    hasLeft: false,
  };
}

/**
 * After a step: `logitIndexes` are those of the tokens it read, `position` is where the first of them stands. `drafted`
 * are tokens that were read although nobody has chosen them yet; says how many of them were.
 */
export async function goOn(
  sequence: Sequence,
  position: number,
  logitIndexes: Uint32Array,
  drafted: readonly number[],
): Promise<{ readonly state: 'continue' | 'finished'; readonly draftedRight: number }> {
  if (drafted.length === 0)
    return { state: await goOnByOne(sequence, position, logitIndexes), draftedRight: 0 };
  const logits = logitIndexes.subarray(-drafted.length - 1);
  for (const [place, logitIndex] of logits.entries()) {
    const state = await writeNext(sequence, logitIndex);
    const isRight = sequence.pending.length === 1 && sequence.pending[0] === drafted[place];
    if (state === 'finished' || !isRight || sequence.hasLeft) return { state, draftedRight: place };
    sequence.pending = [];
  }
  throw new Error('More was chosen than can have been drafted.');
}

async function goOnByOne(
  sequence: Sequence,
  position: number,
  logitIndexes: Uint32Array,
): Promise<'continue' | 'finished'> {
  const { task } = sequence;
  if (task.scoresPrompt && sequence.isReading) await scorePrompt(sequence, position, logitIndexes);
  const logitIndex = logitIndexes.at(-1);
  if (sequence.pending.length > 0 || logitIndex === undefined || sequence.hasLeft) return 'continue';
  if (sequence.isReading) {
    sequence.isReading = false;
    task.writer.promptRead({ cachedTokens: sequence.cachedTokens, scores: sequence.promptScores });
  }
  return writeNext(sequence, logitIndex);
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
      ? await chooser.chooseAmong(logitIndex, directive.allows, directive.shuns)
      : await chooser.choose(logitIndex, directive.banned);
  return sequence.hasLeft ? 'finished' : accept(sequence, choice.token, choice.scores);
}

function accept(sequence: Sequence, token: number, scores: TokenScores | undefined): 'continue' | 'finished' {
  sequence.pending.push(token);
  sequence.outputTokens.push(token);
  sequence.task.draft?.chosen(token);
  return sequence.task.writer.accept(token, scores);
}
