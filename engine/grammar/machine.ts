import type { Expression, RepeatExpression } from './expression.ts';
import { recount } from './expression.ts';
import { jsonCharacter } from './json-character.ts';

/**
 * Runs an expression over bytes as a set of stacks. Stacks are shared linked cells, states are shared sets of
 * stacks, and every transition is remembered, so that walking a vocabulary costs one array read per byte.
 *
 * Every cell can still reach an end (expressions that cannot are never pushed), therefore every state can.
 */
export interface Machine {
  start(): MachineState;
}

/** What it takes to look a few bytes ahead. */
export interface Glance {
  readonly isComplete: boolean;
  /** Whether every text of plain characters may come next, because a string without limits is being written. */
  readonly takesPlainText: boolean;
  /** From here on with steps that are forgotten, where hardly anybody comes by again. */
  readonly glance: Glance;
  step(byte: number): Glance | undefined;
}

export interface MachineState extends Glance {
  /** The same object for all states of one machine: what is remembered about them can be kept under it. */
  readonly owner: object;
  /** Equal states of one machine usually share a key; different states never do. */
  readonly key: number;
  readonly mustEnd: boolean;
  readonly minimumBytesToEnd: number;
  /** Whether this is, for certain, inside something that nobody asked for. */
  readonly isUnasked: boolean;
  step(byte: number): MachineState | undefined;
  /**
   * A state that takes exactly the same texts of up to `byteCount` bytes, shared by all positions of long
   * counted repetitions. Only for masks: what follows those bytes may differ.
   */
  horizon(byteCount: number): MachineState;
}

/** Remembered states per machine. When full all is forgotten and learned anew; living states stay valid. */
const maxRememberedStates = 6_000;
/**
 * Stacks followed at once. Of more than that those are dropped that are farthest from their end, which narrows what
 * is allowed and never widens it; an answer that must end soon still can.
 */
const maxStacksPerState = 2_048;
/** Stacks looked at to choose from. */
const maxStacksCollected = 4 * maxStacksPerState;

export function createMachine(root: Expression): Machine {
  const memory: Memory = { generation: 0, states: new Map(), nextKey: 0 };
  const bottom = new Cell(undefined, undefined, 0);
  return {
    start: () => {
      const stacks = new Stacks();
      enter(memory, push(memory, root, bottom), stacks);
      return stateOf(memory, stacks);
    },
  };
}

interface Memory {
  generation: number;
  states: Map<string, State>;
  nextKey: number;
}

class Cell {
  readonly expression: Expression | undefined;
  readonly rest: Cell | undefined;
  readonly minimumBytes: number;
  readonly isUnasked: boolean;
  readonly serial: number;
  generation = -1;
  above: Map<Expression, Cell> = new Map();

  constructor(expression: Expression | undefined, rest: Cell | undefined, serial: number) {
    this.expression = expression;
    this.rest = rest;
    this.serial = serial;
    this.isUnasked =
      rest?.isUnasked === true || (expression?.kind === 'sequence' && expression.endsUnasked === true);
    this.minimumBytes = (expression?.minimumBytes ?? 0) + (rest?.minimumBytes ?? 0);
  }
}

/** The stacks that wait for a byte, and whether the text may end here. */
class Stacks {
  waiting = new Set<Cell>();
  isComplete = false;

  narrow(): void {
    if (this.waiting.size <= maxStacksPerState) return;
    const nearest = [...this.waiting].sort((one, other) => one.minimumBytes - other.minimumBytes);
    this.waiting = new Set(nearest.slice(0, maxStacksPerState));
  }
}

class State implements MachineState {
  readonly key: number;
  readonly isComplete: boolean;
  readonly waiting: readonly Cell[];
  private readonly memory: Memory;
  private generation: number;
  private transitions: (State | null | undefined)[] | undefined;
  private horizonByteCount = -1;
  private horizonState: State | undefined;
  private isFreeText: boolean | undefined;

  constructor(memory: Memory, key: number, stacks: Stacks) {
    this.memory = memory;
    this.key = key;
    this.isComplete = stacks.isComplete;
    this.waiting = [...stacks.waiting];
    this.generation = memory.generation;
  }

  get owner(): object {
    return this.memory;
  }

  get mustEnd(): boolean {
    return this.isComplete && this.waiting.length === 0;
  }

  get minimumBytesToEnd(): number {
    if (this.isComplete) return 0;
    return this.waiting.reduce((least, cell) => Math.min(least, cell.minimumBytes), Infinity);
  }

  get isUnasked(): boolean {
    return !this.isComplete && this.waiting.every((cell) => cell.isUnasked);
  }

  get takesPlainText(): boolean {
    this.isFreeText ??= this.waiting.some(isInFreeText);
    return this.isFreeText;
  }

  get glance(): Glance {
    const insides: Glance[] = [];
    for (const { expression } of this.isComplete ? [] : this.waiting) {
      const inside = expression?.kind === 'automaton' ? expression.inside : undefined;
      if (inside === undefined) return this;
      insides.push(inside.glance);
    }
    return insides.length === 0 ? this : new GlanceInside(this, insides, undefined);
  }

  step(byte: number): State | undefined {
    this.forgetIfStale();
    this.transitions ??= Array<State | null | undefined>(256).fill(undefined);
    let next = this.transitions[byte];
    if (next === undefined) {
      next = this.computeStep(byte);
      this.transitions[byte] = next;
    }
    return next ?? undefined;
  }

  horizon(byteCount: number): State {
    this.forgetIfStale();
    if (this.horizonByteCount === byteCount && this.horizonState !== undefined) return this.horizonState;
    const stacks = new Stacks();
    stacks.isComplete = this.isComplete;
    for (const cell of this.waiting) stacks.waiting.add(shortSighted(this.memory, cell, byteCount));
    this.horizonByteCount = byteCount;
    this.horizonState = stateOf(this.memory, stacks);
    return this.horizonState;
  }

  private computeStep(byte: number): State | null {
    const stacks = new Stacks();
    for (const { expression, rest } of this.waiting) {
      if (rest === undefined || expression?.kind !== 'automaton') continue;
      const next = expression.next(byte);
      if (next !== undefined) enter(this.memory, push(this.memory, next, rest), stacks);
    }
    return stacks.waiting.size === 0 && !stacks.isComplete ? null : stateOf(this.memory, stacks);
  }

  private forgetIfStale(): void {
    if (this.generation === this.memory.generation) return;
    this.generation = this.memory.generation;
    this.transitions = undefined;
    this.horizonByteCount = -1;
    this.horizonState = undefined;
  }
}

interface Walked {
  readonly byte: number;
  readonly before: Walked | undefined;
}

/** Follows machines that automata run by themselves; the way from the state is gone in earnest where one may end. */
class GlanceInside implements Glance {
  readonly isComplete = false;
  private readonly from: State;
  private readonly insides: readonly Glance[];
  private readonly walked: Walked | undefined;

  constructor(from: State, insides: readonly Glance[], walked: Walked | undefined) {
    this.from = from;
    this.insides = insides;
    this.walked = walked;
  }

  get glance(): Glance {
    return this;
  }

  get takesPlainText(): boolean {
    return this.insides.some((inside) => inside.takesPlainText);
  }

  step(byte: number): Glance | undefined {
    const walked = { byte, before: this.walked };
    const insides: Glance[] = [];
    for (const inside of this.insides) {
      const next = inside.step(byte);
      if (next?.isComplete === true) return this.after(walked);
      if (next !== undefined) insides.push(next.glance);
    }
    return insides.length === 0 ? undefined : new GlanceInside(this.from, insides, walked);
  }

  private after(walked: Walked | undefined): State | undefined {
    return walked === undefined ? this.from : this.after(walked.before)?.step(walked.byte);
  }
}

function isInFreeText({ expression, rest }: Cell): boolean {
  if (expression?.kind === 'automaton' && expression.takesPlainText === true) return true;
  const after = rest?.expression;
  return (
    expression === jsonCharacter &&
    after?.kind === 'repeat' &&
    after.body === jsonCharacter &&
    after.max === Infinity
  );
}

function push(memory: Memory, expression: Expression, rest: Cell): Cell {
  if (rest.generation !== memory.generation) {
    rest.generation = memory.generation;
    rest.above = new Map();
  }
  let cell = rest.above.get(expression);
  if (cell === undefined) {
    memory.nextKey += 1;
    cell = new Cell(expression, rest, memory.nextKey);
    rest.above.set(expression, cell);
  }
  return cell;
}

/** Unfolds the top of a stack until it waits for a byte, ends, or is known to lead nowhere. */
function enter(memory: Memory, from: Cell, stacks: Stacks): void {
  const seen = new Set<Cell>([from]);
  for (const cell of seen) {
    const { expression, rest } = cell;
    if (expression === undefined || rest === undefined) {
      stacks.isComplete = true;
      continue;
    }
    if (cell.minimumBytes === Infinity) continue;
    switch (expression.kind) {
      case 'automaton':
        if (expression.continues) wait(stacks, cell);
        if (expression.isAccepting) seen.add(rest);
        break;
      case 'sequence':
        seen.add(expression.items.reduceRight((below, item) => push(memory, item, below), rest));
        break;
      case 'choice':
        for (const option of expression.options) seen.add(push(memory, option, rest));
        break;
      case 'repeat':
        if (expression.max > 0)
          seen.add(push(memory, expression.body, push(memory, afterOne(expression), rest)));
        if (expression.min === 0) seen.add(rest);
        break;
      case 'later':
        seen.add(push(memory, expression.whole(), rest));
        break;
      case 'rule':
        if (expression.target !== undefined) seen.add(push(memory, expression.target, rest));
        break;
    }
  }
}

function wait(stacks: Stacks, cell: Cell): void {
  if (stacks.waiting.size < maxStacksCollected) stacks.waiting.add(cell);
}

function afterOne(repeat: RepeatExpression): RepeatExpression {
  return recount(repeat, Math.max(0, repeat.min - 1), repeat.max - 1);
}

function stateOf(memory: Memory, stacks: Stacks): State {
  stacks.narrow();
  const serials: number[] = [];
  for (const cell of stacks.waiting) serials.push(cell.serial);
  const identity = serials.sort((one, other) => one - other).join(',') + (stacks.isComplete ? '.' : '');
  const known = memory.states.get(identity);
  if (known !== undefined) return known;
  if (memory.states.size >= maxRememberedStates) {
    memory.generation += 1;
    memory.states = new Map();
  }
  memory.nextKey += 1;
  const created = new State(memory, memory.nextKey, stacks);
  memory.states.set(identity, created);
  return created;
}

/** Counts beyond the horizon become "many": no text of that many bytes can tell the difference. */
function shortSighted(memory: Memory, top: Cell, byteCount: number): Cell {
  const path: Expression[] = [];
  let bottom = top;
  let changed = false;
  for (let cell = top; cell.expression !== undefined && cell.rest !== undefined; cell = cell.rest) {
    const seen = shortSightedOf(cell.expression, byteCount);
    changed ||= seen !== cell.expression;
    path.push(seen);
    bottom = cell.rest;
  }
  return changed ? path.reduceRight((below, expression) => push(memory, expression, below), bottom) : top;
}

function shortSightedOf(expression: Expression, byteCount: number): Expression {
  if (expression.kind === 'repeat') return shortRepeat(expression, byteCount);
  return expression.kind === 'automaton' ? (expression.horizon?.(byteCount) ?? expression) : expression;
}

function shortRepeat(repeat: RepeatExpression, byteCount: number): RepeatExpression {
  return recount(
    repeat,
    Math.min(repeat.min, byteCount + 1),
    repeat.max > byteCount + 1 ? Infinity : repeat.max,
  );
}
