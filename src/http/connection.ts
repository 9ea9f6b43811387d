import type { Clock } from '#vocabulary/clock';
import type { Refusal } from '#vocabulary/refusal';
import { refusalOf, refusalText, tooSlow } from './client-error.ts';
import { type AnswerLine, keptOpenMs } from './http-reply.ts';
import type { BodySource } from './request-body.ts';
import { BadRequest, type RequestHead } from './request-head.ts';
import { type RequestListener, RequestParser } from './request-parser.ts';
import { type CallerSocket, peerAddressOf } from './sockets.ts';

/** Who answers a request for which a connection stands. */
export interface Serving {
  readonly reply: { readonly hasBegun: boolean; drained(): void; knock(): boolean };
  readonly body: { arrived(piece: Buffer): void; ended(): void; discard(): void };
  /** The connection has let go of it, with the whole answer or without. */
  over(isWhole: boolean): void;
}

export interface ConnectionParts {
  readonly maxHeaderBytes: number;
  readonly headerTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly slowReaderMs: number;
  readonly clock: Clock;
  readonly isDraining: () => boolean;
  /** Calls `serve` in return. */
  readonly onRequest: (connection: Connection, head: RequestHead) => void;
  readonly onClose: (connection: Connection) => void;
}

/** Some wait for the advertised time to the last moment. */
const graceMs = 1000;
/**
 * So long the last words are left to arrive, and is waited for the next piece of a body that nobody wants: cut off at
 * once, callers would not see the answer.
 */
const lingerMs = 5000;
/**
 * What comes behind a request that is being answered waits here, up to this much, and in the caller's hands then: for a
 * while, because nobody sees them leave meanwhile.
 */
const maxWaitingBytes = 64 * 1024;
const maxUnheardMs = 5000;
/**
 * The system tells who has left, and did not only end their side, at the second knock after they have been told; what
 * stands between may be slow, and take several knocks for one. Five in all: some clients take no more interim answers.
 */
const firstKnockMs = 20;
const lastKnockMs = 20_000;

const nothing: Buffer = Buffer.alloc(0);

/** One socket of a caller. It carries one request at a time; those that come before the answer is over wait. */
export class Connection implements RequestListener, AnswerLine, BodySource {
  readonly peerAddress: string;
  readonly #socket: CallerSocket;
  readonly #parts: ConnectionParts;
  readonly #parser: RequestParser;
  #serving: Serving | undefined;
  /** Of the request that is being answered. */
  #hasWholeRequest = false;
  #hasWholeAnswer = false;
  #mayStayOpen = true;
  #isReading = false;
  /** Whether the caller waits to be told to send the body. */
  #owesInvitation = false;
  /** They send nothing more. */
  #hasCallerEnded = false;
  #knocking: NodeJS.Timeout | undefined;
  /** Too much came ahead: the rest is read away. */
  #isDeaf = false;
  /** What has come behind the request that is being answered. */
  #waiting: Buffer = nothing;
  #hasServed = false;
  /** When the request that is arriving began, or when the connection was opened, idle, or told to go. */
  #sinceMs: number;
  /** When the last piece of a body came that nobody wants. */
  #heardMs = 0;
  #isReaderWatched = false;
  /** Nothing is read or written any more but what is on its way. */
  #isLeaving = false;

  constructor(socket: CallerSocket, parts: ConnectionParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#parser = new RequestParser(this, parts.maxHeaderBytes);
    this.peerAddress = peerAddressOf(socket);
    this.#sinceMs = parts.clock.monotonicMs();
    socket.on('data', (bytes: Buffer) => this.#arrived(bytes));
    socket.on('end', () => this.#callerEnded());
    socket.on('drain', () => this.#serving?.reply.drained());
    socket.on('timeout', () => {
      if (this.#serving !== undefined && this.unsentBytes > 0) socket.destroy();
    });
    // A peer that resets the socket also reports an error; its closing is what counts.
    socket.on('error', ignore);
    socket.on('close', () => this.#closed());
  }

  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  get staysOpen(): boolean {
    // Whoever was not told to send the body may send it, or the next request: nobody could tell which.
    return this.#mayGoOn && !this.#owesInvitation && !this.#parts.isDraining();
  }

  get #mayGoOn(): boolean {
    // In the middle of a read nobody knows what comes behind the request.
    const mayHaveMore = !this.#hasCallerEnded || this.#isReading || this.#waiting.length > 0;
    return this.#mayStayOpen && mayHaveMore;
  }

  /** Answered, and may or may not bring another request. */
  get isIdle(): boolean {
    return this.#hasServed && this.#serving === undefined && !this.#parser.isUnderWay;
  }

  serve(serving: Serving): void {
    this.#serving = serving;
  }

  send(text: string): boolean {
    return this.#socket.write(text, 'latin1');
  }

  sendAround(before: string, bytes: Buffer, after: string): boolean {
    const socket = this.#socket;
    socket.cork();
    if (before !== '') socket.write(before, 'latin1');
    let hasRoom = socket.write(bytes);
    if (after !== '') hasRoom = socket.write(after, 'latin1');
    socket.uncork();
    return hasRoom;
  }

  answerEnded(isLast: boolean): void {
    // Who has gone meanwhile is told of by the closing.
    if (this.#socket.destroyed) return;
    if (isLast) this.#mayStayOpen = false;
    if (!this.#hasWholeRequest) this.#serving?.body.discard();
    if (this.unsentBytes === 0) this.#answerLeft();
    // Told when everything before it has left.
    else
      this.#socket.write('', (error) => {
        if (error === null || error === undefined) this.#answerLeft();
      });
  }

  cut(): void {
    this.#socket.destroy();
  }

  disconnect(serving: Serving): void {
    if (this.#serving === serving) this.#socket.destroy();
  }

  /** Another request would have to come on another connection. */
  leave(): void {
    if (this.isIdle) this.#socket.destroy();
  }

  pauseReading(): void {
    this.#socket.pause();
  }

  resumeReading(): void {
    if (this.#socket.isPaused()) this.#socket.resume();
  }

  /** Somebody wants the body. */
  invite(): void {
    if (this.#owesInvitation) this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
    this.#owesInvitation = false;
  }

  /** Called every second. */
  checkTime(nowMs: number): void {
    this.#watchReader();
    const forMs = nowMs - this.#sinceMs;
    const { headerTimeoutMs, bodyTimeoutMs } = this.#parts;
    const requestMs = headerTimeoutMs + bodyTimeoutMs;
    if (this.#isLeaving) {
      if (forMs > lingerMs) this.#socket.destroy();
    } else if (this.#hasWholeAnswer && this.#serving !== undefined) {
      if (forMs > requestMs || nowMs - this.#heardMs > lingerMs) this.#socket.destroy();
    } else if (this.#serving !== undefined) {
      if (!this.#hasWholeRequest) {
        if (forMs > requestMs) this.#refuse(refusalText(tooSlow()));
      } else if (this.#waiting.length > maxWaitingBytes && forMs > maxUnheardMs) this.#turnDeaf();
    } else if (this.isIdle) {
      if (forMs > keptOpenMs + graceMs) this.#socket.destroy();
    } else if (forMs > headerTimeoutMs) this.#refuse(refusalText(tooSlow()));
  }

  /**
   * Node's timer, which begins anew as long as bytes leave, has to be touched with every read and write: it runs only
   * where something was found waiting for its reader.
   */
  #watchReader(): void {
    const awaitsReader = this.#serving !== undefined && this.unsentBytes > 0;
    if (awaitsReader === this.#isReaderWatched) return;
    this.#isReaderWatched = awaitsReader;
    this.#socket.setTimeout(awaitsReader ? this.#parts.slowReaderMs : 0);
  }

  headArrived(head: RequestHead): void {
    this.#hasWholeRequest = false;
    this.#hasWholeAnswer = false;
    this.#mayStayOpen = head.staysOpen;
    this.#owesInvitation = head.expectsContinue;
    this.#parts.onRequest(this, head);
  }

  bodyArrived(bytes: Buffer): void {
    this.#owesInvitation = false;
    this.#serving?.body.arrived(bytes);
  }

  requestEnded(): void {
    this.#hasWholeRequest = true;
    this.#owesInvitation = false;
    this.#serving?.body.ended();
    if (this.#hasWholeAnswer) this.#goOn();
  }

  #arrived(bytes: Buffer): void {
    if (this.#hasWholeAnswer) this.#heardMs = this.#parts.clock.monotonicMs();
    if (this.#isLeaving || this.#isDeaf) return;
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
    this.#readOn();
    if (this.#waiting.length > maxWaitingBytes) this.#socket.pause();
  }

  /** Takes apart what is here, up to the end of a request whose answer is not over. */
  #readOn(lastWords: (refusal: Refusal) => string = refusalText): void {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#waiting.length > 0 && !this.#isLeaving && !this.#awaitsAnswer()) {
        const bytes = this.#waiting;
        this.#waiting = nothing;
        if (!this.#parser.isUnderWay) this.#sinceMs = this.#parts.clock.monotonicMs();
        const leftBytes = this.#parser.read(bytes);
        if (leftBytes > 0) this.#waiting = bytes.subarray(bytes.length - leftBytes);
      }
    } catch (thrown) {
      if (!(thrown instanceof BadRequest)) throw thrown;
      this.#refuse(lastWords(refusalOf(thrown)));
    } finally {
      this.#isReading = false;
    }
  }

  #awaitsAnswer(): boolean {
    return this.#serving !== undefined && this.#hasWholeRequest;
  }

  /** The last byte of the answer has left. */
  #answerLeft(): void {
    if (this.#serving === undefined) return;
    this.#hasWholeAnswer = true;
    if (this.#hasWholeRequest) this.#goOn();
    else if (this.#owesInvitation) this.#leave('', true);
    else this.#heardMs = this.#parts.clock.monotonicMs();
  }

  /** To the next request, or to the end of the connection. */
  #goOn(): void {
    const serving = this.#serving;
    this.#serving = undefined;
    this.#hasServed = true;
    this.#sinceMs = this.#parts.clock.monotonicMs();
    clearTimeout(this.#knocking);
    serving?.over(true);
    if (this.#mayGoOn) {
      this.resumeReading();
      // Whoever had their answer, and sent something behind their request that is none, is told nothing more.
      if (this.#waiting.length > 0) this.#readOn(() => '');
      if (this.#hasCallerEnded) this.#callerEnded();
    } else {
      this.#isLeaving = true;
      if (this.#isDeaf) this.#socket.end();
      else this.#socket.destroySoon();
    }
  }

  /** Whoever has only ended their side still gets what they have asked for. */
  #callerEnded(): void {
    this.#hasCallerEnded = true;
    // A read that is under way comes here again.
    if (this.#isLeaving || this.#isReading) return;
    if (this.#parser.isUnderWay) this.#refuse(refusalText(refusalOf(new BadRequest('it ends half-way'))));
    else if (this.#serving === undefined) this.#leave('');
    else this.#knock(firstKnockMs);
  }

  /** Most who end their side have left. Only writing to them shows it, and not at once. */
  #knock(waitMs: number): void {
    const serving = this.#serving;
    if (serving === undefined) return;
    if (!serving.reply.knock()) this.#leave('');
    else if (waitMs <= lastKnockMs) this.#knocking = setTimeout(() => this.#knock(waitMs * 10), waitMs);
  }

  /** The answer is still given, and nothing behind it; until then the caller is seen to leave. */
  #turnDeaf(): void {
    this.#isDeaf = true;
    this.#mayStayOpen = false;
    this.#waiting = nothing;
    this.resumeReading();
  }

  /** Ends a connection on which something came that is no request, or not in time. */
  #refuse(lastWords: string): void {
    if (this.#serving?.reply.hasBegun === true || !this.#socket.writable) this.#socket.destroy();
    else this.#leave(lastWords);
  }

  /** Reads away what still comes, for a while, so that the caller sees the last words and not a reset connection. */
  #leave(lastWords: string, isWhole = false): void {
    const serving = this.#serving;
    this.#serving = undefined;
    this.#isLeaving = true;
    this.#waiting = nothing;
    this.#sinceMs = this.#parts.clock.monotonicMs();
    clearTimeout(this.#knocking);
    this.#socket.end(lastWords);
    this.resumeReading();
    serving?.over(isWhole);
  }

  #closed(): void {
    const serving = this.#serving;
    this.#serving = undefined;
    this.#isLeaving = true;
    clearTimeout(this.#knocking);
    serving?.over(this.#hasWholeAnswer);
    this.#parts.onClose(this);
  }
}

function ignore(): void {}
