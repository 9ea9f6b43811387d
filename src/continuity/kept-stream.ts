import { errorBody } from '#dialects/openai-error';
import { doneFrame, forEachFrame, frameData, isEventStream, jsonFrame } from '#dialects/sse';
import { Cancellation } from '#vocabulary/cancellation';
import type { Exchange, Reply } from '#vocabulary/exchange';
import { Refusal } from '#vocabulary/refusal';
import type { LinePlace } from '#vocabulary/sharing';
import type { AnswerTold, ToldFrames, WitnessedAnswer } from '#vocabulary/witnessed-answer';
import { FrameLog } from './frame-log.ts';
import type { KeptPlace } from './kept-room.ts';

/** Whoever reads: over a socket that may break. */
export type StreamReader = Pick<Exchange, 'reply' | 'cancellation'>;

export interface KeptStreamParts {
  /** Nobody yet, where it was begun by another gateway. */
  readonly reader: StreamReader | undefined;
  /** How long it is kept without a reader, and after its end. */
  readonly keepMs: number;
  /** Undefined when there is no room: then it ends with its reader, like any other. */
  readonly takePlace: () => KeptPlace | undefined;
  /** From now on it can be found. */
  readonly onKept: () => void;
  /** Tells another gateway of it, where there is one. */
  readonly tell: (headers: readonly string[], log: ToldFrames) => AnswerTold | undefined;
  /** Nobody came back in time. */
  readonly onAbandon: () => void;
  readonly onOver: () => void;
}

/** A writer who is further ahead of the reader than this waits. */
const maxAheadBytes = 256 * 1024;

/**
 * Where an answer is written that may lose its reader. From the first byte of an event stream on a reader who goes is
 * waited for, and from the beginning where the reader has a name for the answer, whatever its form; otherwise it ends
 * with its reader like any other answer.
 */
export class KeptStream implements Reply {
  readonly #parts: KeptStreamParts;
  readonly #log = new FrameLog();
  /** Fires when the answer has no reader any more and none is waited for. */
  readonly cancellation = new Cancellation();
  #reader: StreamReader | undefined;
  #place: KeptPlace | undefined;
  #told: AnswerTold | undefined;
  #headers: readonly string[] = [];
  /** No event stream, but kept all the same because its caller has a name for it. */
  #isInOnePiece = false;
  readonly #pieces: Buffer[] = [];
  /** The number of the last frame that the reader was given. */
  #given = 0;
  #aheadBytes = 0;
  #isWaitingForReader = false;
  #drains: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  hasBegun = false;
  hasEnded = false;

  constructor(parts: KeptStreamParts) {
    this.#parts = parts;
    this.#reader = parts.reader;
    if (parts.reader !== undefined) this.#follow(parts.reader);
    this.cancellation.onCancel((reason) => {
      if (reason === 'shutdown') this.handOn();
    });
  }

  /** Begins with what another gateway has written. False when there is no room for it. */
  inherit({ headers, frames, hasEnded }: Pick<WitnessedAnswer, 'headers' | 'frames' | 'hasEnded'>): boolean {
    const place = this.#parts.takePlace();
    if (place === undefined) return false;
    for (const frame of frames) {
      if (!place.take(frame.length)) {
        place.leave();
        return false;
      }
      this.#log.add(frame);
    }
    this.#place = place;
    this.#headers = headers;
    this.hasBegun = true;
    this.hasEnded = hasEnded;
    this.#begun();
    if (hasEnded) this.#told?.end();
    this.#wait();
    return true;
  }

  /** Also before its first byte, if there is room. */
  keepFromNowOn(): void {
    this.#place = this.#parts.takePlace();
    if (this.#place !== undefined) this.#parts.onKept();
  }

  /** True while it has not begun; whoever waits for that in another place keeps it from being given up. */
  isAwaited(): boolean {
    if (!this.hasBegun && this.#reader === undefined) this.#wait();
    return !this.hasBegun;
  }

  get bufferedBytes(): number {
    return this.#aheadBytes + (this.#reader?.reply.bufferedBytes ?? 0);
  }

  showPlace(place: LinePlace): void {
    this.#reader?.reply.showPlace(place);
  }

  announce(headers: readonly string[]): void {
    this.#reader?.reply.announce(headers);
  }

  begin(status: number, headers: readonly string[]): void {
    this.hasBegun = true;
    const isStream = isEventStream(headers);
    if (status === 200 && isStream) this.#place ??= this.#isGivenUp ? undefined : this.#parts.takePlace();
    else if (status !== 200 && this.#place !== undefined) this.#leave();
    this.#isInOnePiece = this.#place !== undefined && !isStream;
    const seconds = this.#place === undefined ? 0 : Math.floor(this.#parts.keepMs / 1000);
    this.#headers = [...headers, 'gatehouse-resume', String(seconds)];
    if (this.#place !== undefined) this.#begun();
    this.#reader?.reply.begin(status, this.#headers);
  }

  #begun(): void {
    this.#told = this.#parts.tell(this.#headers, this.#log);
    this.#parts.onKept();
  }

  get #isGivenUp(): boolean {
    return this.cancellation.reason === 'caller-left';
  }

  write(chunk: Buffer | string): boolean {
    if (this.#place === undefined) return this.#reader?.reply.write(chunk) ?? true;
    if (this.#isInOnePiece) {
      this.#pieces.push(Buffer.from(chunk));
      return true;
    }
    this.#keepAll(chunk);
    this.#pass();
    return this.#aheadBytes < maxAheadBytes || this.#reader === undefined;
  }

  onDrain(listener: () => void): void {
    if (this.#place === undefined && this.#reader !== undefined) this.#reader.reply.onDrain(listener);
    else this.#drains.push(listener);
  }

  end(chunk?: Buffer | string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    if (this.#place === undefined) {
      this.#reader?.reply.end(chunk);
      return;
    }
    if (this.#isInOnePiece) this.#keepPiece(chunk ?? '');
    else this.#keepLast(chunk);
    this.#told?.end();
    this.#pass();
    this.#wait();
  }

  #keepLast(chunk: Buffer | string | undefined): void {
    const last = this.#isGivenUp ? Buffer.from(jsonFrame(errorBody(notKept())) + doneFrame) : chunk;
    if (last !== undefined) this.#keepAll(last);
  }

  /** Before its reader gets it: whoever goes on with the answer knows everything that the reader knows. */
  #keepAll(chunk: Buffer | string): void {
    const kept: Buffer[] = [];
    forEachFrame(bytesOf(chunk), (frame) => this.#keep(frame, kept));
    this.#told?.frames(kept);
  }

  /** It has no numbers: whoever comes back gets all of it. */
  #keepPiece(last: Buffer | string): void {
    const piece = Buffer.concat([...this.#pieces.splice(0), bytesOf(last)]);
    this.#makeRoom(piece.length);
    this.#log.add(piece);
    this.#told?.frames([piece]);
  }

  has(number: number): boolean {
    return this.#log.has(number);
  }

  /** The newest reader is the one: an older one is somebody whose connection broke before we noticed. */
  attach(reader: StreamReader, after: number): void {
    const older = this.#reader;
    this.#reader = reader;
    older?.cancellation.cancel('caller-left');
    if (!this.hasEnded) clearTimeout(this.#timer);
    this.#given = after;
    this.#isWaitingForReader = false;
    this.#aheadBytes = this.#log.after(after).reduce((sum, frame) => sum + frame.length, 0);
    if (this.hasBegun && !reader.reply.hasBegun) reader.reply.begin(200, this.#headers);
    this.#follow(reader);
    this.#pass();
  }

  /** Called once nobody may come back any more. */
  forget(): void {
    this.cancellation.cancel('caller-left');
    this.#leave();
    this.#log.clear();
    this.#told?.forget();
  }

  /**
   * Nothing more of it is written here: whoever knows of it goes on with it, and its reader, whose connection breaks,
   * comes back to them. False when there is nobody, or nothing that could be gone on with.
   */
  handOn(): boolean {
    const isHalfPiece = this.#isInOnePiece && !this.hasEnded;
    if (this.#place === undefined || isHalfPiece || this.#told?.handOn() !== true) return false;
    const reader = this.#reader;
    this.#reader = undefined;
    this.#leave();
    this.#drained();
    reader?.cancellation.cancel('caller-left');
    return true;
  }

  /** From now on it is an answer like any other. */
  #leave(): void {
    clearTimeout(this.#timer);
    this.#place?.leave();
    this.#place = undefined;
    this.#parts.onOver();
  }

  #follow(reader: StreamReader): void {
    reader.cancellation.onCancel((reason) => {
      if (this.#reader !== reader) return;
      if (reason !== 'caller-left' || this.#place === undefined) {
        this.cancellation.cancel(reason);
        return;
      }
      this.#reader = undefined;
      this.#aheadBytes = 0;
      this.#drained();
      this.#wait();
    });
  }

  /** For a reader to come back, or for one who has not got the end. */
  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#reader === undefined && !this.hasEnded) this.#parts.onAbandon();
      this.forget();
    }, this.#parts.keepMs);
    this.#timer.unref();
  }

  /** Comments are signs of life for this moment; everything else gets a number and is kept. */
  #keep(frame: Buffer, kept: Buffer[]): void {
    if (frameData(frame) === undefined) {
      if (this.#given === this.#log.last && !this.#isWaitingForReader) this.#reader?.reply.write(frame);
      return;
    }
    const numbered = Buffer.concat([Buffer.from(`id: ${this.#log.last + 1}\n`), frame]);
    if (!this.#makeRoom(numbered.length)) {
      this.cancellation.cancel('caller-left');
      return;
    }
    this.#log.add(numbered);
    kept.push(numbered);
    this.#aheadBytes += numbered.length;
  }

  /**
   * Old frames go, if somebody has got them. The end is kept in any case, and whoever is there gets the new frame in any
   * case, before more is written.
   */
  #makeRoom(bytes: number): boolean {
    while (this.#place?.take(bytes) === false) {
      const isWanted = this.#reader !== undefined || this.hasEnded;
      if (!isWanted) return false;
      const freed = this.#reader === undefined ? undefined : this.#log.forgetOldest(this.#given);
      if (freed === undefined) {
        this.#place.takeBeyond(bytes);
        return true;
      }
      this.#place.give(freed);
    }
    return true;
  }

  #pass(): void {
    const reader = this.#reader;
    if (reader === undefined || this.#isWaitingForReader) return;
    const frames = this.#log.after(this.#given);
    this.#given = this.#log.last;
    this.#aheadBytes = 0;
    if (this.hasEnded) {
      reader.reply.end(frames.length === 0 ? undefined : Buffer.concat(frames));
      return;
    }
    if (frames.length === 0 || reader.reply.write(Buffer.concat(frames))) {
      this.#drained();
      return;
    }
    this.#isWaitingForReader = true;
    reader.reply.onDrain(() => {
      if (this.#reader !== reader) return;
      this.#isWaitingForReader = false;
      this.#pass();
    });
  }

  #drained(): void {
    const listeners = this.#drains;
    this.#drains = [];
    for (const listener of listeners) listener();
  }
}

function bytesOf(chunk: Buffer | string): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** Comes in place of the end of an answer for whose frames there was no room while nobody read them. */
function notKept(): Refusal {
  return new Refusal('stream_not_kept', 'There was no room to keep the rest of this answer. Ask again.');
}
