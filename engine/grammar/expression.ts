import type { MachineState } from './machine.ts';

/**
 * What a text may be, as a graph: terminals that eat bytes, and sequences, choices and counted repetitions of
 * them. Rules close the graph where a schema refers to itself. Expressions never change once settled, so one
 * graph serves any number of generations.
 */
export type Expression =
  | AutomatonState
  | SequenceExpression
  | ChoiceExpression
  | RepeatExpression
  | RuleExpression
  | LaterExpression;

interface Measured {
  /** The fewest bytes that satisfy it; Infinity when no finite text does. Such expressions are never entered. */
  readonly minimumBytes: number;
}

/** A position in a byte automaton. Every position can still reach an accepting one. */
export interface AutomatonState extends Measured {
  readonly kind: 'automaton';
  readonly isAccepting: boolean;
  /** Whether `next` knows any byte at all. */
  readonly continues: boolean;
  /** Whether every text of plain characters may come next. */
  readonly takesPlainText?: boolean;
  next(byte: number): AutomatonState | undefined;
  /** The position in a machine that alone decides what may follow, for as long as it is not complete. */
  readonly inside?: MachineState | undefined;
  /** A graph that it runs by itself, to be measured with the one that it stands in. */
  readonly inner?: Expression;
  /** A position that takes exactly the same texts of up to so many bytes, shared by as many as possible. */
  horizon?(byteCount: number): AutomatonState;
}

export interface SequenceExpression extends Measured {
  readonly kind: 'sequence';
  readonly items: readonly Expression[];
  /** Ends something that may be written, but that nobody asked for. */
  readonly endsUnasked?: true;
}

export interface ChoiceExpression extends Measured {
  readonly kind: 'choice';
  readonly options: readonly Expression[];
}

export interface RepeatExpression extends Measured {
  readonly kind: 'repeat';
  /** Never empty: takes at least one byte each time. */
  readonly body: Expression;
  readonly min: number;
  readonly max: number;
  /** The same body with other counts, so that equal counts are the same object. */
  readonly family: Map<string, RepeatExpression>;
}

export interface RuleExpression extends Measured {
  readonly kind: 'rule';
  target: Expression | undefined;
}

/** Something large that is put together where somebody gets to it: little of a large schema is ever written. */
export interface LaterExpression extends Measured {
  readonly kind: 'later';
  /** What it will be made of. */
  readonly parts: readonly Expression[];
  /** The fewest bytes, by those of its parts. */
  readonly measure: () => number;
  /** The same object each time. */
  readonly whole: () => Expression;
}

export function later(
  parts: readonly Expression[],
  measure: () => number,
  build: () => Expression,
): Expression {
  let built: Expression | undefined;
  const whole = () => (built ??= build());
  return measured({ kind: 'later', parts, measure, whole, minimumBytes: Infinity });
}

export function sequenceOf(items: readonly Expression[]): Expression {
  if (items.length === 1 && items[0] !== undefined) return items[0];
  return measured({ kind: 'sequence', items, minimumBytes: Infinity });
}

export function choiceOf(options: readonly Expression[]): Expression {
  if (options.length === 1 && options[0] !== undefined) return options[0];
  return measured({ kind: 'choice', options, minimumBytes: Infinity });
}

export function optional(item: Expression): Expression {
  return choiceOf([item, nothing()]);
}

/** The empty text. */
export function nothing(): Expression {
  return { kind: 'sequence', items: [], minimumBytes: 0 };
}

/** The same, of which writers know while they are inside that nobody asked for it. */
export function unasked(item: Expression): Expression {
  return sequenceOf([item, endOfUnasked]);
}

/** Whether any part of it is unasked. */
export function holdsUnasked(root: Expression): boolean {
  return collect(root).has(endOfUnasked);
}

const endOfUnasked: Expression = { kind: 'sequence', items: [], minimumBytes: 0, endsUnasked: true };

/** `body` must take at least one byte. `max` may be Infinity. */
export function repeatOf(body: Expression, min: number, max: number): RepeatExpression {
  const first: RepeatExpression = {
    kind: 'repeat',
    body,
    min,
    max,
    minimumBytes: Infinity,
    family: new Map(),
  };
  first.family.set(`${min}:${max}`, first);
  return measured(first);
}

/** The same repetition with other counts; asking twice gives the same object. */
export function recount(repeat: RepeatExpression, min: number, max: number): RepeatExpression {
  if (repeat.min === min && repeat.max === max) return repeat;
  const key = `${min}:${max}`;
  const known = repeat.family.get(key);
  if (known !== undefined) return known;
  const { body, family } = repeat;
  const created = measured<RepeatExpression>({
    kind: 'repeat',
    body,
    min,
    max,
    minimumBytes: Infinity,
    family,
  });
  family.set(key, created);
  return created;
}

export function ruleWithoutTarget(): RuleExpression {
  return { kind: 'rule', target: undefined, minimumBytes: Infinity };
}

/** Measures a graph with rules in it: repeats until nothing gets shorter. Call once, when every rule has its target. */
export function settleMinimumBytes(root: Expression): void {
  const reachable = [...collect(root)].toReversed();
  for (let changed = true; changed;) {
    changed = false;
    for (const expression of reachable) {
      const before = expression.minimumBytes;
      if (measured(expression).minimumBytes !== before) changed = true;
    }
  }
}

function collect(root: Expression): Set<Expression> {
  const found = new Set<Expression>([root]);
  // What measures itself and holds nothing is left out.
  for (const expression of found)
    for (const child of childrenOf(expression))
      if (child.kind !== 'automaton' || child.inner !== undefined) found.add(child);
  return found;
}

function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'automaton':
      return expression.inner === undefined ? [] : [expression.inner];
    case 'sequence':
      return expression.items;
    case 'choice':
      return expression.options;
    case 'repeat':
      return [expression.body];
    case 'later':
      return expression.parts;
    default:
      return expression.target === undefined ? [] : [expression.target];
  }
}

function measured<Kind extends Expression>(expression: Kind): Kind {
  if (expression.kind === 'automaton') return expression;
  (expression as { minimumBytes: number }).minimumBytes = measure(expression);
  return expression;
}

function measure(expression: Exclude<Expression, AutomatonState>): number {
  switch (expression.kind) {
    case 'sequence':
      return expression.items.reduce((sum, item) => sum + item.minimumBytes, 0);
    case 'choice':
      return expression.options.reduce((least, option) => Math.min(least, option.minimumBytes), Infinity);
    case 'later':
      return expression.measure();
    case 'repeat':
      return expression.min === 0 ? 0 : expression.min * expression.body.minimumBytes;
    default:
      return expression.target?.minimumBytes ?? Infinity;
  }
}
