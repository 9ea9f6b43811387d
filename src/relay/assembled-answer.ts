import { isObject } from '#dialects/json-object';
import { forEachFrame, frameData } from '#dialects/sse';
import { UsageFrame } from './usage-frame.ts';

type Json = Record<string, unknown>;

/**
 * The whole answer that a stream adds up to, for engines that are asked for a stream in any case. Undefined when the
 * stream broke off or told of an error.
 */
export function assembleAnswer(frames: Buffer): Json | undefined {
  const choices = new Map<number, AssembledChoice>();
  const usageFrame = new UsageFrame();
  let top: Json = {};
  let isSound = true;
  let isDone = false;
  forEachFrame(frames, (frame) => {
    const data = frameData(frame);
    isDone ||= data === '[DONE]';
    if (data === undefined || isDone) return;
    const { choices: parts, usage, ...rest } = JSON.parse(data) as Json;
    if ('error' in rest) isSound = false;
    top = { ...top, ...rest };
    if (isObject(usage)) usageFrame.add({}, usage);
    for (const part of Array.isArray(parts) ? (parts as Json[]) : []) {
      const index = Number(part.index);
      const choice = choices.get(index) ?? new AssembledChoice();
      choices.set(index, choice);
      choice.add(part);
    }
  });
  const all = [...choices].sort(([left], [right]) => left - right);
  if (!isSound || all.length === 0 || all.some(([, choice]) => choice.finishReason === undefined))
    return undefined;
  return {
    ...top,
    object: String(top.object).replace(/\.chunk$/, ''),
    choices: all.map(([index, choice]) => ({ index, ...choice.whole() })),
    ...(usageFrame.value === undefined ? {} : { usage: usageFrame.value.usage }),
  };
}

interface AssembledCall {
  readonly id: unknown;
  readonly type: 'function';
  readonly function: { readonly name: unknown; arguments: string };
}

class AssembledChoice {
  finishReason: string | undefined;
  #content = '';
  #thoughts = '';
  #isText = false;
  readonly #calls: AssembledCall[] = [];
  readonly #logprobs: unknown[] = [];

  add(part: Json): void {
    const delta = isObject(part.delta) ? part.delta : {};
    this.#isText ||= typeof part.text === 'string';
    this.#content += textOf(delta.content) + textOf(part.text);
    this.#thoughts += textOf(delta.reasoning_content);
    if (typeof part.finish_reason === 'string') this.finishReason = part.finish_reason;
    if (isObject(part.logprobs) && Array.isArray(part.logprobs.content))
      this.#logprobs.push(...(part.logprobs.content as unknown[]));
    for (const call of Array.isArray(delta.tool_calls) ? (delta.tool_calls as Json[]) : [])
      this.#addCall(call);
  }

  whole(): Json {
    const logprobs = this.#logprobs.length === 0 ? null : { content: this.#logprobs };
    const end = { logprobs, finish_reason: this.finishReason };
    if (this.#isText) return { text: this.#content, ...end };
    const hasCalls = this.#calls.length > 0;
    return {
      message: {
        role: 'assistant',
        content: hasCalls && this.#content === '' ? null : this.#content,
        ...(this.#thoughts === '' ? {} : { reasoning_content: this.#thoughts }),
        ...(hasCalls ? { tool_calls: this.#calls } : {}),
      },
      ...end,
    };
  }

  #addCall(call: Json): void {
    const called = isObject(call.function) ? call.function : {};
    const index = Number(call.index);
    const known = this.#calls[index];
    if (known !== undefined) known.function.arguments += textOf(called.arguments);
    else {
      const begun = { name: called.name, arguments: textOf(called.arguments) };
      this.#calls[index] = { id: call.id, type: 'function', function: begun };
    }
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
