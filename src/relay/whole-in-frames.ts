import { isObject } from '#dialects/json-object';
import { doneFrame, jsonFrame, maxFrameBytes } from '#dialects/sse';
import { EngineFault } from '#vocabulary/engine-fault';
import type { EngineStream, EngineStreamReader } from '#vocabulary/inference';
import { type MemoryShare, takesForAnswer } from '#vocabulary/memory-share';

type Json = Record<string, unknown>;

/** An engine that was asked for a stream and answers in one piece: its answer as the frames that it should have sent. */
export class WholeInFrames implements EngineStream {
  readonly #stream: EngineStream;
  readonly #memory: MemoryShare;
  readonly contentType = 'text/event-stream';

  constructor(stream: EngineStream, memory: MemoryShare) {
    this.#stream = stream;
    this.#memory = memory;
  }

  get status(): number {
    return this.#stream.status;
  }

  get firstByteMs(): number {
    return this.#stream.firstByteMs;
  }

  get hasLetGo(): boolean {
    return this.#stream.hasLetGo;
  }

  read(reader: EngineStreamReader): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const fail = (cause: Error) => {
      this.#memory.give(bytes);
      bytes = 0;
      reader.failed(cause);
    };
    this.#stream.read({
      chunkArrived: (chunk) => {
        if (bytes + chunk.length > maxFrameBytes || !takesForAnswer(this.#memory, chunk.length)) {
          fail(new EngineFault('the answer is too long for one piece', { retry: 'elsewhere' }));
          this.#stream.cancel();
          return;
        }
        bytes += chunk.length;
        chunks.push(chunk);
      },
      ended: () => {
        const frames = framesOf(Buffer.concat(chunks).toString());
        if (frames === undefined)
          fail(new EngineFault('the answer has the wrong form', { retry: 'elsewhere' }));
        else {
          this.#memory.give(bytes);
          reader.chunkArrived(Buffer.from(frames));
          reader.ended();
        }
      },
      failed: fail,
    });
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  cancel(): void {
    this.#stream.cancel();
  }
}

function framesOf(text: string): string | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(answer) || !Array.isArray(answer.choices)) return undefined;
  const { choices, usage, ...top } = answer;
  if (choices.length === 0 || !choices.every((choice) => isObject(choice))) return undefined;
  const all = choices as Json[];
  const isText = all.every((choice) => typeof choice.text === 'string');
  const frame = (parts: Json) =>
    jsonFrame({ ...top, object: isText ? 'text_completion' : 'chat.completion.chunk', ...parts });
  const said = all.map(({ message, finish_reason: _reason, ...choice }, index) => ({
    index,
    ...choice,
    ...(isText ? {} : { delta: deltaOf(message) }),
    finish_reason: null,
  }));
  const ends = all.map(({ index = 0, finish_reason: reason }) => ({
    index,
    ...(isText ? { text: '' } : { delta: {} }),
    finish_reason: reason ?? 'stop',
  }));
  const used = isObject(usage) ? frame({ choices: [], usage }) : '';
  return frame({ choices: said }) + frame({ choices: ends }) + used + doneFrame;
}

/** Nothing stands in a delta that says nothing, and calls are counted there. */
function deltaOf(message: unknown): Json {
  const delta: Json = {};
  for (const [name, value] of Object.entries(isObject(message) ? message : {})) {
    if (value === null || (Array.isArray(value) && value.length === 0)) continue;
    delta[name] =
      name === 'tool_calls' && Array.isArray(value)
        ? value.map((call: unknown, index) => (isObject(call) ? { index, ...call } : call))
        : value;
  }
  return delta;
}
