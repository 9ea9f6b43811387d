import { isObject, type JsonObject } from '#dialects/json-object';

/** A piece of a call in the order in which calls may be told. */
export interface CallPiece {
  /** Set on the first piece of a call. */
  readonly opening: { readonly id: string; readonly name: string } | undefined;
  readonly fragment: string;
}

/**
 * Chats may write several calls at once, each piece with the index of its call; here one call ends before the next
 * begins. So pieces of a later call wait until the arguments of the earlier one are complete.
 */
export class CallOrder {
  /** By the index the engine gave them. */
  readonly #calls = new Map<number, Call>();
  /** The calls that have not been told to their end, in the order of their beginnings. */
  readonly #open: Call[] = [];

  get hasCalled(): boolean {
    return this.#calls.size > 0;
  }

  /** The arguments of some call are not complete yet. */
  get isWriting(): boolean {
    return this.#open.some((call) => !call.isComplete);
  }

  get waitingBytes(): number {
    return this.#open.reduce((sum, { untoldLength }) => sum + untoldLength, 0);
  }

  push(piece: JsonObject): CallPiece[] {
    const called = isObject(piece['function']) ? piece['function'] : {};
    const fragment = typeof called['arguments'] === 'string' ? called['arguments'] : '';
    const { index } = piece;
    const at = typeof index === 'number' ? index : Math.max(0, this.#calls.size - 1);
    const known = this.#calls.get(at);
    if (known === undefined) {
      const begun = new Call(text(piece['id']), text(called['name']), fragment);
      this.#calls.set(at, begun);
      this.#open.push(begun);
    } else known.add(fragment);
    return this.#tell(false);
  }

  /** Whatever still waits. */
  finish(): CallPiece[] {
    return this.#tell(true);
  }

  #tell(isLast: boolean): CallPiece[] {
    const pieces: CallPiece[] = [];
    for (;;) {
      const first = this.#open[0];
      if (first === undefined) return pieces;
      const piece = first.take();
      if (piece !== undefined) pieces.push(piece);
      if (this.#open.length === 1 && !isLast) return pieces;
      if (!isLast && !first.isComplete) return pieces;
      this.#open.shift();
    }
  }
}

class Call {
  readonly #id: string;
  readonly #name: string;
  #untold = '';
  #isOpened = false;
  /** How many brackets of the arguments are open; all of them were closed when it comes back to nought. */
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  isComplete = false;

  constructor(id: string, name: string, fragment: string) {
    this.#id = id;
    this.#name = name;
    this.add(fragment);
  }

  get untoldLength(): number {
    return this.#untold.length;
  }

  /** Looks at every letter once, however many fragments there are. */
  add(fragment: string): void {
    this.#untold += fragment;
    for (const letter of fragment) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInText) {
        if (letter === '\\') this.#isEscaped = true;
        else if (letter === '"') this.#isInText = false;
      } else if (letter === '"') this.#isInText = true;
      else if (letter === '{' || letter === '[') this.#depth++;
      else if ((letter === '}' || letter === ']') && --this.#depth === 0) this.isComplete = true;
    }
  }

  take(): CallPiece | undefined {
    const opening = this.#isOpened ? undefined : { id: this.#id, name: this.#name };
    const fragment = this.#untold;
    if (opening === undefined && fragment === '') return undefined;
    this.#isOpened = true;
    this.#untold = '';
    return { opening, fragment };
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
