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
    return this.#open.some((call) => !call.isComplete());
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
      if (!isLast && !first.isComplete()) return pieces;
      this.#open.shift();
    }
  }
}

class Call {
  readonly #id: string;
  readonly #name: string;
  #arguments: string;
  #told = 0;
  #isOpened = false;

  constructor(id: string, name: string, fragment: string) {
    this.#id = id;
    this.#name = name;
    this.#arguments = fragment;
  }

  add(fragment: string): void {
    this.#arguments += fragment;
  }

  take(): CallPiece | undefined {
    const opening = this.#isOpened ? undefined : { id: this.#id, name: this.#name };
    const fragment = this.#arguments.slice(this.#told);
    if (opening === undefined && fragment === '') return undefined;
    this.#isOpened = true;
    this.#told = this.#arguments.length;
    return { opening, fragment };
  }

  isComplete(): boolean {
    if (!this.#arguments.trimEnd().endsWith('}')) return false;
    try {
      JSON.parse(this.#arguments);
      return true;
    } catch {
      return false;
    }
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
