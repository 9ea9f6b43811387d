import { errorBody } from '#dialects/openai-error';
import { isObject, type JsonObject } from '#dialects/json-object';
import { countFrames, forEachFrame, frameData, isEventStream } from '#dialects/sse';
import type { AnswerTranslator, ChatError, RecalledAnswer, Translation } from '#dialects/translation';
import type { Cancellation } from '#vocabulary/cancellation';
import type { Exchange, Reply } from '#vocabulary/exchange';
import type { MemoryShare } from '#vocabulary/memory-share';
import { Refusal } from '#vocabulary/refusal';
import type { LinePlace } from '#vocabulary/sharing';

/**
 * Where a chat completion is written, and comes out in the dialect of the caller: frame by frame when it is a stream,
 * else when it is whole. Writers hand over whole frames, as they do to any reply.
 */
export class TranslatedReply implements Reply {
  readonly #reply: Reply;
  readonly #memory: MemoryShare;
  readonly #cancellation: Cancellation;
  readonly #translator: AnswerTranslator;
  readonly #errorBody: Translation['errorBody'];
  #isStream = false;
  #takenBytes = 0;
  /** The beginning of an answer in one piece: its length is not known before its end. */
  #status = 200;
  #headers: readonly string[] = [];
  hasBegun = false;

  constructor(
    { reply, memory, cancellation }: Pick<Exchange, 'reply' | 'memory' | 'cancellation'>,
    translator: AnswerTranslator,
    form: Translation['errorBody'],
  ) {
    this.#reply = reply;
    this.#memory = memory;
    this.#cancellation = cancellation;
    this.#translator = translator;
    this.#errorBody = form;
  }

  /** Brings the translator to where another gateway's was. Nothing is sent of what the caller has got. */
  recall({ chunks, frameCount }: RecalledAnswer): void {
    const translator = this.#translator;
    this.hasBegun = true;
    this.#isStream = true;
    if (frameCount === 0) {
      const opening = translator.begin();
      if (opening !== '') this.#reply.write(opening);
      return;
    }
    let said = translator.begin() + (translator.ping?.() ?? '');
    for (const chunk of chunks) said += translator.chunk(chunk);
    if (frameCount !== undefined && countFrames(Buffer.from(said)) !== frameCount)
      throw new Refusal('stream_not_kept', 'Nobody can go on with this answer. Ask again.');
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
    this.hasBegun = true;
    this.#isStream = isEventStream(headers);
    this.#status = status;
    this.#headers = headers;
    if (!this.#isStream) return;
    this.#reply.begin(status, headers);
    const opening = this.#translator.begin();
    if (opening !== '') this.#reply.write(opening);
  }

  write(chunk: Buffer | string): boolean {
    const frames = this.#translate(chunk);
    return frames === '' ? true : this.#reply.write(frames);
  }

  onDrain(listener: () => void): void {
    this.#reply.onDrain(listener);
  }

  end(chunk?: Buffer | string): void {
    if (this.#isStream)
      this.#reply.end((chunk === undefined ? '' : this.#translate(chunk)) + this.#translator.end());
    else this.#endWhole(chunk ?? '');
  }

  #translate(chunk: Buffer | string): string {
    let frames = '';
    forEachFrame(typeof chunk === 'string' ? Buffer.from(chunk) : chunk, (frame) => {
      const data = frameData(frame);
      if (data === undefined) frames += frame.toString() + (this.#translator.ping?.() ?? '');
      else if (data !== '[DONE]') frames += this.#translateData(data);
    });
    return frames;
  }

  #translateData(data: string): string {
    const chunk = parseObject(data);
    if (chunk === undefined) return '';
    if (isObject(chunk.error)) return this.#translator.fail(asError(chunk.error));
    const frames = this.#translator.chunk(chunk);
    return frames + this.#countHeld();
  }

  /** An answer for which there is no room any more ends here, for its reader and for the engine. */
  #countHeld(): string {
    const held = this.#translator.heldBytes ?? 0;
    if (held - this.#takenBytes < countedBytes) return '';
    try {
      this.#memory.takeForAnswer(held - this.#takenBytes);
      this.#takenBytes = held;
      return '';
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      this.#cancellation.cancel('stopped');
      return this.#translator.fail(errorBody(thrown).error);
    }
  }

  #endWhole(chunk: Buffer | string): void {
    const said = parseObject(chunk.toString());
    const answer = isObject(said?.error)
      ? this.#errorBody(asError(said.error))
      : this.#translator.whole(said ?? {});
    const status = answer === undefined ? noAnswer.status : this.#status;
    const body = Buffer.from(JSON.stringify(answer ?? this.#errorBody(errorBody(noAnswer).error)));
    this.#reply.begin(status, withLength(this.#headers, body.length));
    this.#reply.end(body);
  }
}

/** Counted in steps, not for every frame. */
const countedBytes = 64 * 1024;

const noAnswer = new Refusal(
  'engine_failed',
  'The engine answered with something that is no chat completion. Send the request again in a moment.',
);

/** Errors are told in our own words throughout, see `answerRefusal`. */
function asError({ message, type, param, code }: JsonObject): ChatError {
  return {
    message: String(message),
    type: String(type),
    param: typeof param === 'string' ? param : null,
    code: String(code),
  };
}

function withLength(headers: readonly string[], bytes: number): string[] {
  const changed = [...headers];
  const index = changed.indexOf('content-length');
  if (index < 0) changed.push('content-length', String(bytes));
  else changed[index + 1] = String(bytes);
  return changed;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
