import { allowedTokens } from '../constraint/constraint.ts';
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
  /** Never chosen, whatever the phase. */
  readonly bannedTokens: readonly number[];
  /** No end before this many tokens. */
  readonly minTokens: number;
}

export interface CallRules {
  /** What may stand between the marker that opens a call and the one that closes it. */
  readonly body: Constraint;
  readonly openTokens: readonly number[];
  readonly closeTokens: readonly number[];
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
  const anyToken: Directive = { kind: 'free', banned: rules.bannedTokens };
  const noSecondThought: Directive = {
    kind: 'free',
    banned: thinking === undefined ? rules.bannedTokens : [...rules.bannedTokens, ...thinking.openTokens],
  };
  let mode: OutputMode = startsInThought ? 'thought' : 'answer';
  let writtenTokens = 0;
  let thoughtTokens = 0;
  let thoughtTail = '';
  let hasThought = startsInThought;
  let hasCalled = false;
  let state: ConstraintState | undefined;
  let isOver = false;
  let isClosingThought = false;
  let needsBlankLine = false;
  let hasShapeBegun = false;

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
    if (writtenTokens < rules.minTokens) {
      const banned = new Set(rules.bannedTokens);
      return { kind: 'among', allows: (token) => !tokenizer.isEnd(token) && !banned.has(token) };
    }
    return hasThought ? noSecondThought : anyToken;
  }

  function constrained(position: ConstraintState): Directive {
    if (mode === 'call' && position.mustEnd) return { kind: 'forced', tokens: calls?.closeTokens ?? [] };
    const allowed = allowedTokens(position, tokenTable());
    // Where both are allowed, the first token decides between the shape and a call.
    const mayCall = mode === 'answer' && !hasShapeBegun && calls?.openTokens.length === 1;
    const callToken = mayCall ? calls.openTokens[0] : undefined;
    const leftBytes = rules.maxTokens - writtenTokens - (calls?.closeTokens.length ?? 0) - 1;
    const mustFit = leftBytes < carefulBelowTokens && position.minimumBytesToEnd <= leftBytes;
    return {
      kind: 'among',
      allows: (token) => {
        if (token === callToken) return true;
        if (!allowed.has(token)) return position.isComplete && tokenizer.isEnd(token);
        if (!mustFit) return true;
        const after = position.acceptBytes(tokenizer.bytesOf(token));
        return after !== undefined && after.minimumBytesToEnd < leftBytes;
      },
    };
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
        shouldCloseThought({ thinking, thoughtTokens, thoughtTail, leftTokens, maxTokens: rules.maxTokens })
      ) {
        isClosingThought = true;
        const text = thoughtTail.endsWith('\n') ? thinking.closeText : `\n${thinking.closeText}`;
        return { kind: 'forced', tokens: tokenizer.encode(text, true) };
      }
      return anyToken;
    },
    accepted: (bytes, next, textAfterSwitch) => {
      writtenTokens += 1;
      if (mode === 'thought' || next === 'thought') {
        thoughtTokens += 1;
        thoughtTail = (thoughtTail + Buffer.from(bytes).toString('utf8')).slice(-8);
      }
      if (next !== mode) enter(next, textAfterSwitch);
      else if (state !== undefined && !(mode === 'call' && state.mustEnd)) {
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
