import { isObject } from '#dialects/json-object';
import { hasFinishReason, wasAborted, withPublicFinishReason } from '#dialects/finish-reason';
import { errorBody } from '#dialects/openai-error';
import {
  countFrames,
  doneFrame,
  endsWithDone,
  FrameCutter,
  forEachFrame,
  frameData,
  jsonFrame,
  maxFrameBytes,
} from '#dialects/sse';
import { WordFrames } from '#dialects/word-frames';
import { type BegunAnswer, continuationsOf } from '#vocabulary/begun-answer';
import { EngineFault } from '#vocabulary/engine-fault';
import type { Exchange, Reply } from '#vocabulary/exchange';
import type { EngineStream, EngineStreamReader, Outcome, ParsedRequest, Route } from '#vocabulary/inference';
import type { Refusal } from '#vocabulary/refusal';
import { sentAway } from '#vocabulary/sent-away';
import { endingOfCancellation, type TokenUsage } from '#vocabulary/usage';
import { AnswerJoint } from './answer-joint.ts';
import { isContinuable } from './continuable.ts';
import { engineBrokeOff } from './endings.ts';
import { colon, untilDone, withoutComments, withoutUsageFrames } from './frame-filters.ts';
import type { Heartbeat } from './heartbeat.ts';
import { CreatedPin } from './created-pin.ts';
import { streamHeaders } from './reply-headers.ts';
import type { Rewriter } from './rewriter.ts';
import type { Timing } from './server-timing.ts';
import { stampsEveryChunk, tellsUsageWithTheEnd, thinksInline } from './strays.ts';
import { Transcript } from './transcript.ts';
import { UsageFrame } from './usage-frame.ts';
import { estimateUsage, findStreamedUsage, mergeUsage, readUsage } from './usage-reading.ts';

type Json = Record<string, unknown>;

export interface StreamCarrierParts {
  readonly stream: EngineStream;
  readonly route: Route;
  readonly rewriter: Rewriter | undefined;
  readonly heartbeat: Heartbeat;
  readonly timing: Timing;
  /** What the caller has already got from an engine that died. */
  readonly begun: BegunAnswer | undefined;
  readonly finish: (outcome: Outcome) => void;
}

/** Bytes, because a text would be turned into them at every search. */
const errorKey = Buffer.from('{"error":');
const usageKey = Buffer.from('"usage"');

/**
 * Carries one event stream: whole frames in, the same frames out, at the reader's pace. The last of them is held back
 * until the flow says that its record has left.
 */
export class StreamCarrier implements EngineStreamReader {
  readonly #stream: EngineStream;
  readonly #route: Route;
  readonly #rewriter: Rewriter | undefined;
  readonly #heartbeat: Heartbeat;
  readonly #timing: Timing;
  readonly #finish: (outcome: Outcome) => void;
  readonly #exchange: Exchange;
  readonly #reply: Reply;
  readonly #cutter = new FrameCutter();
  readonly #withholdsUsage: boolean;
  readonly #usageFrame = new UsageFrame();
  readonly #createdPin: CreatedPin | undefined;
  readonly #wordFrames: WordFrames | undefined;
  readonly #begun: BegunAnswer | undefined;
  readonly #joint: AnswerJoint | undefined;
  readonly #transcript: Transcript | undefined;
  #usage: TokenUsage | undefined;
  #frames = 0;
  #hasCarried = false;
  #hasFinishReason = false;
  #isDone = false;
  /** The frames that say that the answer is over. */
  readonly #held: Buffer[] = [];
  #isOver = false;
  #engineFault: string | undefined;

  constructor({ stream, route, rewriter, heartbeat, timing, begun, finish }: StreamCarrierParts) {
    const { request } = route;
    this.#stream = stream;
    this.#route = route;
    this.#rewriter = rewriter ?? (begun === undefined ? undefined : unchanged);
    this.#heartbeat = heartbeat;
    this.#timing = timing;
    this.#finish = finish;
    this.#begun = begun;
    this.#joint = begun === undefined ? undefined : new AnswerJoint(begun, request.model.id);
    this.#transcript = isContinuable(route) ? new Transcript(request.exchange.memory, begun) : undefined;
    this.#hasCarried = begun !== undefined;
    this.#exchange = request.exchange;
    this.#reply = this.#exchange.reply;
    this.#withholdsUsage = !request.wantsUsage;
    this.#createdPin = stampsEveryChunk(route) ? new CreatedPin() : undefined;
    this.#wordFrames =
      begun !== undefined || rewriter?.keepsWords === false ? undefined : wordFramesOf(request);
  }

  chunkArrived(chunk: Buffer): void {
    if (this.#isOver) {
      // It goes on after its end.
      this.#stream.cancel();
      return;
    }
    const arrived = this.#cutter.push(chunk);
    const frames = arrived?.[0] === colon ? withoutComments(arrived) : arrived;
    if (frames !== undefined) {
      const wordFrames = this.#wordFrames;
      const wordsEnd = wordFrames?.endOfWords(frames) ?? -1;
      if (wordFrames !== undefined && wordsEnd >= 0) this.#carryWords(wordFrames, frames, wordsEnd);
      else if (frames.length > 0 && !this.#breaksOff(frames)) this.#carry(frames);
    } else if (this.#cutter.heldBytes > maxFrameBytes) {
      this.#stream.cancel();
      this.failed(new EngineFault('a frame without an end', { retry: 'elsewhere' }));
    }
  }

  ended(): void {
    if (this.#isOver) return;
    // Usage is no sign of the end: some callers want it from the first frame on.
    if (!this.#isDone && !this.#hasFinishReason) {
      this.failed(new EngineFault('the stream ended before the answer did', { retry: 'elsewhere' }));
      return;
    }
    if (!this.#isDone) this.#held.push(Buffer.from(this.#lastFrames()));
    this.#settle('completed', {});
  }

  failed(cause: Error): void {
    if (this.#isOver) return;
    // An engine that dies after its last word has still answered.
    const isAllSaid = this.#usage !== undefined || this.#route.request.sequences === 1;
    if (this.#isDone || (this.#hasFinishReason && isAllSaid)) {
      this.ended();
      return;
    }
    const { cancellation } = this.#exchange;
    if (cancellation.reason !== undefined) {
      const refusal = cancellation.reason === 'caller-left' ? undefined : sentAway(cancellation.reason);
      this.#settle(endingOfCancellation(cancellation.reason), { refusal });
      return;
    }
    // An answer that has not begun may still be had elsewhere: the flow decides.
    const refusal = this.#hasCarried ? engineBrokeOff() : undefined;
    const isWhole = this.#hasCarried && this.#joint?.isTorn !== true;
    const begun = isWhole
      ? this.#transcript?.read(thinksInline(this.#route), this.#route.engine.name)
      : undefined;
    const isCut = cause instanceof EngineFault && cause.isCut;
    this.#settle('engine-failed', { fault: cause.message, isCut, refusal, begun });
  }

  /** What the engine has told of its work so far, or what the frames let one guess. */
  usage(): TokenUsage {
    if (this.#usage !== undefined) return this.#usage;
    const before = this.#begun?.outputTokens ?? 0;
    const frames = this.#isReplay ? Math.max(before, this.#frames) : before + this.#frames;
    return estimateUsage(this.#route.request.envelope.body.length, frames);
  }

  #carry(all: Buffer): void {
    const isEnding = hasFinishReason(all);
    const arrived = isEnding || this.#hasFinishReason ? untilDone(all) : all;
    this.#frames += countFrames(arrived);
    this.#heartbeat.outputTokens = this.#frames;
    if (!this.#isReplay) this.#transcript?.add(arrived);
    const frames = isEnding ? withPublicFinishReason(arrived) : arrived;
    const outgoing =
      this.#rewriter === undefined
        ? this.#inspect(frames, isEnding)
        : this.#rewrite(frames, isEnding, this.#rewriter);
    if (this.#joint?.isContradicted === true) {
      this.#settle('engine-failed', { begun: this.#begun, isContradicted: true });
      this.#stream.cancel();
      return;
    }
    this.#hasFinishReason ||= isEnding;
    if (this.#isReplay) this.#transcript?.add(outgoing);
    if (this.#joint?.isTorn === true) {
      this.failed(new EngineFault('the parts of the answer do not fit together', { retry: 'never' }));
      this.#stream.cancel();
      return;
    }
    if (outgoing.length === 0) return;
    this.#hasCarried = true;
    if (this.#isDone) {
      this.#held.push(outgoing);
      this.ended();
      return;
    }
    if (!this.#reply.hasBegun) this.#begin();
    this.#heartbeat.writes++;
    if (!this.#reply.write(outgoing)) this.#awaitReader();
  }

  /** One frame of which nothing has to be found out: it differs in its words alone from one that has been carried. */
  #carryWords(wordFrames: WordFrames, frame: Buffer, end: number): void {
    const { start, toldStart, areSaid } = wordFrames;
    this.#heartbeat.outputTokens = ++this.#frames;
    this.#transcript?.addWords(frame, start, end, areSaid);
    this.#heartbeat.writes++;
    const toldEnd = toldStart + end - start;
    const isTaken = this.#reply.write(wordFrames.tell(frame, end), areSaid ? toldStart : toldEnd, toldEnd);
    if (!isTaken) this.#awaitReader();
  }

  #awaitReader(): void {
    this.#stream.pause();
    this.#heartbeat.isStalled = true;
    this.#reply.onDrain(() => {
      this.#heartbeat.isStalled = false;
      this.#stream.resume();
    });
  }

  #begin(): void {
    this.#reply.begin(200, streamHeaders(this.#timing.header));
  }

  /** Looks for the few things worth knowing with searches over raw bytes; touches a frame only to withhold it. */
  #inspect(frames: Buffer, isEnding: boolean): Buffer {
    if (endsWithDone(frames)) this.#isDone = true;
    const arrived = this.#createdPin === undefined ? frames : Buffer.from(frames);
    this.#createdPin?.pin(frames);
    const isBroken = frames.includes(errorKey) || (isEnding && wasAborted(frames));
    const told = isBroken ? this.#maskErrors(frames) : frames;
    const usage = told.includes(usageKey) ? findStreamedUsage(told) : undefined;
    if (usage === undefined) {
      if (!isEnding && !isBroken && !this.#isDone) this.#wordFrames?.learn(arrived, told);
      return told;
    }
    this.#usage = mergeUsage(this.#usage, usage);
    return this.#withholdsUsage ? withoutUsageFrames(told) : told;
  }

  #rewrite(frames: Buffer, isEnding: boolean, rewriter: Rewriter): Buffer {
    const parts: string[] = [];
    let isPlain = !isEnding;
    forEachFrame(frames, (frame) => {
      const data = frameData(frame);
      if (data === undefined) return;
      if (data === '[DONE]') {
        this.#isDone = true;
        parts.push(this.#lastFrames());
        return;
      }
      const said = this.#join(parseObject(data));
      const value = said === undefined ? undefined : this.#keepUsageBack(said, rewriter);
      if (value === undefined || this.#joint?.isSilent === true) return;
      if (isErrorEvent(value) || (isEnding && wasAborted(frame))) {
        isPlain = false;
        parts.push(this.#maskedError());
        return;
      }
      isPlain &&= !isObject(said?.usage);
      parts.push(jsonFrame(rewriter.rewriteChunk(value)));
    });
    const told = Buffer.from(parts.join(''));
    if (isPlain && !this.#isDone && parts.length === 1) this.#wordFrames?.learn(frames, told);
    return told;
  }

  get #isReplay(): boolean {
    return this.#begun?.isReplayed === true;
  }

  #join(chunk: Json | undefined): Json | undefined {
    return chunk === undefined || this.#joint === undefined ? chunk : this.#joint.join(chunk);
  }

  /** An engine that reports its own breakdown has died like one that falls silent: somebody else may go on. */
  #breaksOff(frames: Buffer): boolean {
    if (this.#transcript === undefined) return false;
    if (!frames.includes('{"error":') && !wasAborted(frames)) return false;
    const sound: Buffer[] = [];
    let isBroken = false;
    forEachFrame(frames, (frame) => {
      isBroken ||= isErrorEvent(parseObject(frameData(frame) ?? '') ?? {}) || wasAborted(frame);
      if (!isBroken) sound.push(frame);
    });
    if (!isBroken) return false;
    if (sound.length > 0) this.#carry(Buffer.concat(sound));
    this.failed(new EngineFault('the engine reported an error inside the stream', { retry: 'elsewhere' }));
    this.#stream.cancel();
    return true;
  }

  /** The chunk without what belongs to the end; undefined when nothing is left of it. */
  #keepUsageBack(chunk: Json, rewriter: Rewriter): Json | undefined {
    this.#usage = mergeUsage(this.#usage, readUsage(chunk['usage']));
    const { usage, ...rest } = chunk;
    const { choices } = chunk;
    if (!Array.isArray(choices)) return chunk;
    const isLast = choices.length === 0 || tellsUsageWithTheEnd(this.#route);
    if (isLast && isObject(usage)) {
      const told = rewriter.rewriteChunk({ ...chunk, choices: [] });
      this.#usageFrame.add(told, isObject(told.usage) ? told.usage : usage);
      this.#usage = mergeUsage(this.#usage, readUsage(this.#usageFrame.value?.['usage']));
      return choices.length === 0 ? undefined : rest;
    }
    if (!this.#withholdsUsage) return chunk;
    return choices.length === 0 ? undefined : rest;
  }

  #lastFrames(): string {
    const { value } = this.#usageFrame;
    return value === undefined || this.#withholdsUsage ? doneFrame : jsonFrame(value) + doneFrame;
  }

  /** An error inside a stream is told in our words: the engine's may show its insides. */
  #maskErrors(frames: Buffer): Buffer {
    const parts: Buffer[] = [];
    forEachFrame(frames, (frame) => {
      const data = frameData(frame);
      const isError = data !== undefined && data !== '[DONE]' && isErrorEvent(parseObject(data) ?? {});
      parts.push(isError || wasAborted(frame) ? Buffer.from(this.#maskedError()) : frame);
    });
    return Buffer.concat(parts);
  }

  #maskedError(): string {
    this.#engineFault = 'the engine reported an error inside the stream';
    return jsonFrame(errorBody(engineBrokeOff()));
  }

  #settle(
    ending: Outcome['ending'],
    {
      fault,
      isCut,
      refusal,
      begun,
      isContradicted,
    }: {
      fault?: string;
      isCut?: boolean;
      refusal?: Refusal | undefined;
      begun?: BegunAnswer | undefined;
      isContradicted?: boolean;
    },
  ): void {
    this.#isOver = true;
    this.#transcript?.close();
    const engineFault = fault ?? this.#engineFault;
    this.#finish({
      ending: engineFault !== undefined && ending === 'completed' ? 'engine-failed' : ending,
      status: 200,
      usage: this.usage(),
      firstByteMs: this.#stream.firstByteMs,
      overheadMs: this.#timing.overheadMs,
      engineFault,
      retry: ending === 'engine-failed' && !this.#hasCarried ? 'elsewhere' : 'never',
      isCut,
      refusal,
      begun,
      isContradicted,
      continuations: continuationsOf(this.#begun),
      heldBack: this.#held,
      sendEnd: () => {
        if (!this.#reply.hasBegun) this.#begin();
        this.#reply.end(this.#held.length === 0 ? undefined : Buffer.concat(this.#held));
      },
    });
  }
}

const contentKey = Buffer.from('"content"');
const textKey = Buffer.from('"text"');
const thoughtKeys = [Buffer.from('"reasoning_content"'), Buffer.from('"reasoning"')];

/** Of one answer: where there are several, a frame may belong to any of them. */
function wordFramesOf({ endpoint, sequences }: ParsedRequest): WordFrames | undefined {
  if (sequences !== 1) return undefined;
  if (endpoint === 'completions') return new WordFrames(textKey, []);
  return endpoint === 'chat/completions' ? new WordFrames(contentKey, thoughtKeys) : undefined;
}

const unchanged: Rewriter = {
  keepsWords: false,
  rewriteChunk: (chunk) => chunk,
  rewriteAnswer: (answer) => answer,
};

function isErrorEvent(value: Json): boolean {
  return 'error' in value && value['error'] !== null;
}

function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
