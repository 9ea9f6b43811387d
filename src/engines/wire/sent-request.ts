import type { AnswerHead } from './answer-head.ts';
import type { Connection, ConnectionStage, ConnectionUser } from './connection.ts';

export interface WireRequest {
  /** From the request line on, every line ended; the length of the body and the blank line are added. */
  readonly head: string;
  /** In pieces. */
  readonly body: readonly Buffer[];
  /** What is sent instead, once, when a kept connection turns out to be dead; undefined where that may not be. */
  readonly repeat?: (() => WireRequest) | undefined;
}

/** Hears of one answer. */
export interface AnswerReader {
  answerBegan(status: number, contentType: string, retryAfterSeconds: number | undefined): void;
  chunkArrived(chunk: Buffer): void;
  answerEnded(): void;
  /** Told instead of the end. */
  answerFailed(cause: Error, stage: FailureStage): void;
}

/** How far a request had come when it failed. */
export type FailureStage = ConnectionStage | 'sent-again';

/** A request on its way: what its reader can still do about it. After its end all of it is harmless. */
export class SentRequest implements ConnectionUser {
  #request: WireRequest;
  readonly #reader: AnswerReader;
  readonly #openConnection: () => Connection | undefined;
  #connection: Connection | undefined;
  #isRepeated = false;
  /** Answered, and all of it has left: no socket looks at its body any more. */
  hasLetGo = false;

  constructor(request: WireRequest, reader: AnswerReader, openConnection: () => Connection | undefined) {
    this.#request = request;
    this.#reader = reader;
    this.#openConnection = openConnection;
  }

  go(connection: Connection): void {
    this.#connection = connection;
    const { head, body } = this.#request;
    let bodyBytes = 0;
    for (const part of body) bodyBytes += part.length;
    connection.carry(this, `${head}content-length: ${bodyBytes}\r\n\r\n`, body, bodyBytes);
  }

  pause(): void {
    this.#connection?.pause();
  }

  resume(): void {
    this.#connection?.resume();
  }

  /** Ends it by closing its connection; the reader hears nothing more. */
  abort(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.abort();
  }

  headArrived({ status, contentType, retryAfterSeconds }: AnswerHead): void {
    this.#reader.answerBegan(status, contentType, retryAfterSeconds);
  }

  bodyArrived(bytes: Buffer): void {
    this.#reader.chunkArrived(bytes);
  }

  answerEnded(isFree: boolean): void {
    this.#connection = undefined;
    this.hasLetGo = isFree && !this.#isRepeated;
    this.#reader.answerEnded();
  }

  connectionFailed(cause: Error, stage: ConnectionStage): void {
    // An engine may close an idle connection in the moment in which it is used: then it has not read the request.
    const wasDead = stage === 'sent' && this.#connection?.hasServed === true;
    this.#connection = undefined;
    const repeat = wasDead && !this.#isRepeated ? this.#request.repeat : undefined;
    const again = repeat && this.#openConnection();
    if (repeat !== undefined && again !== undefined) {
      this.#isRepeated = true;
      this.#request = repeat();
      this.go(again);
    } else this.#reader.answerFailed(cause, this.#isRepeated ? stageOfRepetition[stage] : stage);
  }
}

/** What the first attempt may have done to the engine counts for the second too. */
const stageOfRepetition: Readonly<Record<ConnectionStage, FailureStage>> = {
  connecting: 'sent',
  sent: 'sent-again',
  answering: 'answering',
};
