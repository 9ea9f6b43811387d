/**
 * Constrained decoding: compiles a JSON Schema to an automaton over bytes and says, at every step of a
 * generation, which tokens keep the text on the way to a valid value. Pure: no input or output, no native
 * code, no randomness. A schema that cannot be honoured exactly is refused by keyword, never approximated.
 */
import { createAnyJson } from '../grammar/any-json.ts';
import { compileSchema } from '../schema/compile-schema.ts';
import {
  choiceOf,
  type Expression,
  holdsUnasked,
  optional as optionally,
  repeatOf,
  sequenceOf,
} from '../grammar/expression.ts';
import { createJsonText } from '../grammar/json-text.ts';
import { createMachine, type MachineState } from '../grammar/machine.ts';
import { textOf } from '../grammar/text-automaton.ts';
import {
  type AllowedTokens,
  allowedTokensFor,
  createTokenTable as arrangeTokens,
  tokenTestFor,
  type TokenTable,
} from './token-table.ts';

/** Compiled once, used by any number of generations at the same time. */
export interface Constraint {
  /** What the combinators combine. Opaque to everybody else. */
  readonly expression: Expression;
  /** Whether something may be written that nobody asked for. */
  readonly hasUnasked: boolean;
  start(): ConstraintState;
}

/** A position in a constrained text. Never changes: keep it, go back to it, continue it twice. */
export interface ConstraintState {
  /** Different positions of one constraint never share a key. */
  readonly key: number;
  /** The text may end here. */
  readonly isComplete: boolean;
  /** The text is complete and nothing may follow. */
  readonly mustEnd: boolean;
  /** Bytes of the shortest way to an end, for closing in time before a token budget runs out. */
  readonly minimumBytesToEnd: number;
  /** Inside a property that the schema neither declares nor speaks of: allowed, but nobody asked for it. */
  readonly isUnasked: boolean;
  /** The position after these bytes, or undefined when they are not allowed. */
  acceptBytes(bytes: Uint8Array): ConstraintState | undefined;
}

export type { AllowedTokens, TokenTable } from './token-table.ts';
export { UnsupportedSchema } from '../schema/unsupported-schema.ts';

export interface ConstraintOptions {
  /** How deep values without a schema of their own may nest. Default 12. */
  readonly maxDepth?: number;
  /** Lets the writer put one space after `:` and `,`. Default true; there is never other whitespace. */
  readonly allowSpaces?: boolean;
  /**
   * Writes no undeclared properties where a schema declares some and is silent about others. Default true; otherwise
   * they are allowed there, and known to be unasked.
   */
  readonly closesOpenObjects?: boolean;
}

/** Throws `UnsupportedSchema`. */
export function compileJsonSchema(schema: unknown, options: ConstraintOptions = {}): Constraint {
  const json = createJsonText({ allowSpaces: options.allowSpaces ?? true });
  const { maxDepth = defaultMaxDepth, closesOpenObjects = true } = options;
  return constraintOf(compileSchema(schema, json, { maxDepth, closesOpenObjects }));
}

/** Any JSON object. */
export function compileAnyJsonObject(options: ConstraintOptions = {}): Constraint {
  const json = createJsonText({ allowSpaces: options.allowSpaces ?? true });
  return constraintOf(createAnyJson(json, options.maxDepth ?? defaultMaxDepth).object);
}

/** Exactly this text. */
export function literal(text: string): Constraint {
  return constraintOf(textOf(text));
}

export function sequence(parts: readonly Constraint[]): Constraint {
  return constraintOf(sequenceOf(parts.map((part) => part.expression)));
}

export function choice(options: readonly Constraint[]): Constraint {
  return constraintOf(choiceOf(options.map((option) => option.expression)));
}

/** This or nothing. */
export function optional(part: Constraint): Constraint {
  return constraintOf(optionally(part.expression));
}

/** As often as wanted, or not at all. `part` is never empty. */
export function repeated(part: Constraint): Constraint {
  return constraintOf(repeatOf(part.expression, 0, Infinity));
}

/** `undefined` marks tokens that are never allowed inside a constrained text, such as control tokens. */
export function createTokenTable(tokenBytes: readonly (Uint8Array | undefined)[]): TokenTable {
  return arrangeTokens(tokenBytes);
}

/**
 * The tokens that may come next. When it is empty and the state is not complete, the vocabulary cannot spell
 * the text; a vocabulary with a token for every byte always can.
 */
export function allowedTokens(state: ConstraintState, table: TokenTable): AllowedTokens {
  return allowedTokensFor((state as Position).machineState, table);
}

/** The same for one token after the other, which is cheaper where few are asked about. */
export function tokenTest(state: ConstraintState, table: TokenTable): (tokenId: number) => boolean {
  return tokenTestFor((state as Position).machineState, table);
}

const defaultMaxDepth = 12;

function constraintOf(expression: Expression): Constraint {
  const machine = createMachine(expression);
  let hasUnasked: boolean | undefined;
  return {
    expression,
    get hasUnasked() {
      hasUnasked ??= holdsUnasked(expression);
      return hasUnasked;
    },
    start: () => new Position(machine.start()),
  };
}

class Position implements ConstraintState {
  readonly machineState: MachineState;

  constructor(machineState: MachineState) {
    this.machineState = machineState;
  }

  get key(): number {
    return this.machineState.key;
  }

  get isComplete(): boolean {
    return this.machineState.isComplete;
  }

  get mustEnd(): boolean {
    return this.machineState.mustEnd;
  }

  get minimumBytesToEnd(): number {
    return this.machineState.minimumBytesToEnd;
  }

  get isUnasked(): boolean {
    return this.machineState.isUnasked;
  }

  acceptBytes(bytes: Uint8Array): Position | undefined {
    let state: MachineState | undefined = this.machineState;
    for (const byte of bytes) {
      state = state.step(byte);
      if (state === undefined) return undefined;
    }
    return new Position(state);
  }
}
