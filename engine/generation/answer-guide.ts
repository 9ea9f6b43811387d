import { tokenTest } from '../constraint/constraint.ts';
import type { Constraint, ConstraintState } from '../constraint/constraint.ts';
import type { TokenTable } from '../constraint/token-table.ts';
import type { Tokenizer } from '../native/tokenizer.ts';
import type { OutputMode } from '../output/output-parser.ts';
import type { Directive } from '../scheduler/sequence-task.ts';
import { shouldCloseThought } from './thinking-budget.ts';
import type { ThinkingRules } from './thinking-budget.ts';

/** What an answer must be: which thoughts, which calls, which shape. */
export interface AnswerRules {
  readonly maxTokens: number;
  /** Undefined: the model may not think, or its thoughts are not told apart. */
  readonly thinking: ThinkingRules | undefined;
  /** The shape of the answer itself. */
  readonly shape: Constraint | undefined;
  readonly calls: CallRules | undefined;
  /** They end the answer: not in a thought, and not before anything has been said. */
  readonly endTokens: readonly number[];
  /** Never chosen, whatever the phase. */
  readonly bannedTokens: readonly number[];
  /** No end before this many tokens. */
  readonly minTokens: number;
  /** Undefined: the answer begins with its first token. */
  readonly begun?: BegunAnswer | undefined;
}

/** What of the answer is already there, when it goes on from the last message. */
export interface BegunAnswer {
  /** Of a thought that is not closed yet; 0 when there is none. */
  readonly thoughtTokens: number;
  /** The words after the thought. */
  readonly text: string;
}

export interface CallRules {
  /** What may follow the marker that opens a call, up to and with the text that closes it. */
  readonly body: Constraint;
  readonly openTokens: readonly number[];
  /** With this text the body ends, and nothing else can stand there. */
  readonly closeText: string;
  /** The answer must be a call. */
  readonly isRequired: boolean;
  readonly mayRepeat: boolean;
  /** Nothing may follow a call. */
  readonly endsAnswer: boolean;
}

/** Says before every token what it must obey, and follows what was chosen. */
export interface AnswerGuide {
  next(): Directive;
  /** `textAfterSwitch` is what this token wrote after changing the mode. */
  accepted(bytes: Uint8Array, mode: OutputMode, textAfterSwitch: string): void;
  /** Nothing may follow. */
  readonly isOver: boolean;
}

export interface AnswerGuideParts {
  readonly rules: AnswerRules;
  readonly tokenizer: Tokenizer;
  readonly tokenTable: () => TokenTable;
  readonly startsInThought: boolean;
}

export function createAnswerGuide({
  rules,
  tokenizer,
  tokenTable,
  startsInThought,
}: AnswerGuideParts): AnswerGuide {
  const { thinking, shape, calls } = rules;
  const free = (...lists: readonly (readonly number[])[]): Directive => ({
    kind: 'free',
    banned: [...rules.bannedTokens, ...lists.flat()],
  });
  const anyToken = free();
  const noEnd = free(rules.endTokens);
  const noSecondThought = free(thinking?.openTokens ?? []);
  const firstWords = free(thinking?.openTokens ?? [], rules.endTokens);
  const closeBytes = Buffer.from(calls?.closeText ?? '');
  const closeTokenCount = tokenizer.encode(calls?.closeText ?? '', true).length;
  let mode: OutputMode = startsInThought ? 'thought' : 'answer';
  let writtenTokens = 0;
  const begunThoughtTokens = rules.begun?.thoughtTokens ?? 0;
  let thoughtTokens = begunThoughtTokens;
  let thoughtTail = '';
  const begunText = rules.begun?.text ?? '';
  let hasThought = startsInThought || begunText !== '';
  let hasAnswered = begunText.trim() !== '';
  let hasCalled = false;
  // Words that do not fit the shape were never part of it.
  let state = begunText === '' ? undefined : shape?.start().acceptBytes(Buffer.from(begunText));
  let isOver = false;
  let isClosingThought = false;
  let needsBlankLine = false;
  let hasShapeBegun = state !== undefined;

  function answerDirective(): Directive {
    if (state !== undefined) return constrained(state);
    if (needsBlankLine) {
      needsBlankLine = false;
      return { kind: 'forced', tokens: tokenizer.encode(blankLine, false) };
    }
    const mayStillThink = thinking !== undefined && !hasThought && writtenTokens === 0;
    if (calls?.isRequired === true && !hasCalled && !mayStillThink) {
      return { kind: 'forced', tokens: calls.openTokens };
    }
    if (shape !== undefined && !mayStillThink) {
      state = shape.start();
      return constrained(state);
    }
    if (mayStillThink && (shape !== undefined || calls?.isRequired === true)) {
      return { kind: 'forced', tokens: thinking.openTokens };
    }
    if (hasThought) return hasAnswered && hasEnoughTokens() ? noSecondThought : firstWords;
    return hasEnoughTokens() ? anyToken : noEnd;
  }

  function constrained(position: ConstraintState): Directive {
    if (mode === 'call' && position.minimumBytesToEnd <= closeBytes.length) {
      const rest = closeBytes.subarray(closeBytes.length - position.minimumBytesToEnd).toString();
      return { kind: 'forced', tokens: tokenizer.encode(rest, true) };
    }
    const isAllowed = tokenTest(position, tokenTable());
    // Where both are allowed, the first token decides between the shape and a call.
    const mayCall = mode === 'answer' && !hasShapeBegun && calls?.openTokens.length === 1;
    const callToken = mayCall ? calls.openTokens[0] : undefined;
    const leftTokens = rules.maxTokens - writtenTokens - 1;
    const shunsUnasked = mode === 'answer' && shape?.hasUnasked === true && !position.isUnasked;
    const mustFit = leftTokens < carefulBelowTokens && mostTokensToEnd(position) <= leftTokens;
    return {
      kind: 'among',
      allows: (token) => {
        if (token === callToken) return true;
        if (!isAllowed(token)) return position.isComplete && tokenizer.isEnd(token);
        if (!mustFit) return true;
        const after = position.acceptBytes(tokenizer.bytesOf(token));
        return after !== undefined && mostTokensToEnd(after) < leftTokens;
      },
      ...(shunsUnasked && {
        shuns: (token) => position.acceptBytes(tokenizer.bytesOf(token))?.isUnasked === true,
      }),
    };
  }

  /** One for each byte, but for the text that closes a call, which is forced. */
  function mostTokensToEnd({ minimumBytesToEnd }: ConstraintState): number {
    if (mode !== 'call') return minimumBytesToEnd;
    return Math.max(0, minimumBytesToEnd - closeBytes.length) + closeTokenCount;
  }

  function hasEnoughTokens(): boolean {
    return writtenTokens >= rules.minTokens;
  }

  function enter(next: OutputMode, textAfterSwitch: string): void {
    if (next === 'thought') hasThought = true;
    if (mode === 'thought') {
      const isShaped = shape !== undefined || calls?.isRequired === true;
      needsBlankLine = isShaped && !isClosingThought && textAfterSwitch === '';
    }
    if (next === 'call' && calls !== undefined) {
      hasCalled = true;
      state = startAfter(calls.body, textAfterSwitch);
    }
    if (mode === 'call' && next === 'answer') {
      state = undefined;
      isOver = calls?.mayRepeat === false || calls?.endsAnswer === true || shape !== undefined;
    }
    mode = next;
  }

  return {
    next: () => {
      if (mode !== 'thought') return answerDirective();
      const leftTokens = rules.maxTokens - writtenTokens;
      if (
        thinking !== undefined &&
        shouldCloseThought({
          thinking,
          thoughtTokens,
          thoughtTail,
          leftTokens,
          maxTokens: rules.maxTokens + begunThoughtTokens,
        })
      ) {
        isClosingThought = true;
        const text = thoughtTail.endsWith('\n') ? thinking.closeText : `\n${thinking.closeText}`;
        return { kind: 'forced', tokens: tokenizer.encode(text, true) };
      }
      return thinking === undefined ? anyToken : noEnd;
    },
    accepted: (bytes, next, textAfterSwitch) => {
      writtenTokens += 1;
      if (mode === 'thought' || next === 'thought') {
        thoughtTokens += 1;
        thoughtTail = (thoughtTail + Buffer.from(bytes).toString('utf8')).slice(-8);
      }
      const said = next === mode ? Buffer.from(bytes).toString('utf8') : textAfterSwitch;
      hasAnswered ||= next !== 'thought' && said.trim() !== '';
      if (next !== mode) enter(next, textAfterSwitch);
      else if (state !== undefined) {
        hasShapeBegun = true;
        state = state.acceptBytes(bytes);
        isOver = state?.mustEnd === true && mode === 'answer';
      }
    },
    get isOver() {
      return isOver;
    },
  };
}

/**
 * With fewer tokens left than this, no token is chosen after which the text could not be brought to its end in
 * time, counting one token per byte: what can be finished within `max_tokens` is finished.
 */
const carefulBelowTokens = 1024;

/** What models write between a thought and the answer. */
const blankLine = '\n\n';

/** Where markers are spelled in several tokens, the last of them may already hold some of what follows. */
function startAfter(body: Constraint, text: string): ConstraintState {
  const start = body.start();
  const state = start.acceptBytes(Buffer.from(text)) ?? (text.trim() === '' ? start : undefined);
  if (state === undefined) throw new Error('The model began a call in a way that cannot be continued.');
  return state;
}
