import type { Reply } from '#vocabulary/exchange';
import type { LinePlace } from '#vocabulary/sharing';
import type { AnswerDigest } from './answer-digest.ts';

/** The same reply, read in passing. What ends an answer is read from its outcome, before it leaves. */
export class ObservedReply implements Reply {
  readonly #reply: Reply;
  readonly #digest: AnswerDigest;

  constructor(reply: Reply, digest: AnswerDigest) {
    this.#reply = reply;
    this.#digest = digest;
  }

  get hasBegun(): boolean {
    return this.#reply.hasBegun;
  }

  get hasEnded(): boolean {
    return this.#reply.hasEnded;
  }

  get bufferedBytes(): number {
    return this.#reply.bufferedBytes;
  }

  showPlace(place: LinePlace): void {
    this.#reply.showPlace(place);
  }

  announce(headers: readonly string[]): void {
    this.#reply.announce(headers);
  }

  begin(status: number, headers: readonly string[]): void {
    this.#reply.begin(status, headers);
  }

  /** A text is a comment, or our own word about a failure: frames of the answer are bytes. */
  write(chunk: Buffer | string, wordsStart = -1, wordsEnd = -1): boolean {
    if (wordsStart >= 0 && typeof chunk !== 'string') this.#digest.addWords(chunk, wordsStart, wordsEnd);
    else if (typeof chunk !== 'string') this.#digest.add(chunk);
    return this.#reply.write(chunk);
  }

  onDrain(listener: () => void): void {
    this.#reply.onDrain(listener);
  }

  end(chunk?: Buffer | string): void {
    this.#reply.end(chunk);
  }
}
