import type { BegunAnswer } from '#vocabulary/begun-answer';

type Voice = 'thoughts' | 'text';

/** What a caller knows of an answer that an engine writes once more. */
export class KnownWords {
  readonly #left: Record<Voice, string>;
  /** It writes something else: nothing of it fits behind what the caller knows. */
  isContradicted = false;

  constructor(seen: NonNullable<BegunAnswer['seen']>) {
    this.#left = { ...seen };
  }

  /** All of it was said again. */
  get isOver(): boolean {
    return this.#left.thoughts === '' && this.#left.text === '';
  }

  /** What of these words is new. */
  newIn(voice: Voice, said: string): string {
    const known = this.#left[voice];
    const length = Math.min(known.length, said.length);
    this.#left[voice] = known.slice(length);
    const words = said.slice(length);
    const isSame = known.slice(0, length) === said.slice(0, length);
    this.isContradicted ||= !isSame || (words !== '' && !this.isOver);
    return words;
  }

  /** Nothing but words may come before all is said again. */
  somethingElse(): void {
    this.isContradicted ||= !this.isOver;
  }
}
