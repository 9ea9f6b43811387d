import { isObject } from '#dialects/json-object';
import { FrameCutter, forEachFrame, frameData, maxFrameBytes } from '#dialects/sse';
import type { MessageError, TokenUsage } from '#contract/messages';
import type { ToolCallPiece } from '#vocabulary/conversations';
import { ThinkSplitter } from '#dialects/think-splitter';

/** What a reader finds in the stream, in the order of the stream. */
export interface AnswerListener {
  reasoningArrived(text: string): void;
  contentArrived(text: string): void;
  toolCallArrived(piece: ToolCallPiece): void;
}

/** Reads an answer as OpenAI's chunks: text, thinking in any of its three forms, calls, usage, errors. */
export class AnswerReader {
  usage: TokenUsage | null = null;
  finishReason: string | null = null;
  error: MessageError | null = null;
  hasFinished = false;
  readonly #cutter = new FrameCutter();
  readonly #splitter = new ThinkSplitter();
  readonly #listener: AnswerListener;

  constructor(listener: AnswerListener) {
    this.#listener = listener;
  }

  push(bytes: Buffer): void {
    const frames = this.#cutter.push(bytes);
    if (this.#cutter.heldBytes > maxFrameBytes) {
      this.error = { code: 'engine_failed', message: 'The engine sent something that is not an answer.' };
    }
    if (frames !== undefined) forEachFrame(frames, (frame) => this.#readFrame(frame));
  }

  finish(): void {
    this.#deliver(this.#splitter.finish());
  }

  #readFrame(frame: Buffer): void {
    const data = frameData(frame);
    if (data === undefined) return;
    if (data === '[DONE]') {
      this.hasFinished = true;
      return;
    }
    const chunk = parseObject(data);
    if (chunk === undefined) return;
    const error = readError(chunk);
    if (error !== undefined) this.error = error;
    if (isObject(chunk['usage'])) this.usage = readUsage(chunk['usage']);
    const choices = chunk['choices'];
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isObject(choice)) return;
    if (isObject(choice['delta'])) this.#readDelta(choice['delta']);
    if (typeof choice['finish_reason'] === 'string') this.finishReason = choice['finish_reason'].slice(0, 50);
  }

  #readDelta(delta: Readonly<Record<string, unknown>>): void {
    // Engines that send both fields send the same text twice.
    const reasoning = delta['reasoning_content'] ?? delta['reasoning'];
    if (typeof reasoning === 'string' && reasoning !== '') this.#listener.reasoningArrived(reasoning);
    const content = delta['content'];
    if (typeof content === 'string' && content !== '') this.#deliver(this.#splitter.push(content));
    const calls: unknown = delta['tool_calls'];
    if (Array.isArray(calls)) for (const call of calls) this.#readToolCall(call);
  }

  #readToolCall(call: unknown): void {
    if (!isObject(call)) return;
    const fields = isObject(call['function']) ? call['function'] : {};
    const index = typeof call['index'] === 'number' ? call['index'] : 0;
    if (!Number.isInteger(index) || index < 0 || index > 127) return;
    this.#listener.toolCallArrived({
      type: 'toolCall',
      index,
      ...(typeof call['id'] === 'string' && { id: call['id'].slice(0, 200) }),
      ...(typeof fields['name'] === 'string' && { name: fields['name'].slice(0, 200) }),
      argumentsText: typeof fields['arguments'] === 'string' ? fields['arguments'] : '',
    });
  }

  #deliver({ reasoning, content }: { readonly reasoning: string; readonly content: string }): void {
    if (reasoning !== '') this.#listener.reasoningArrived(reasoning);
    if (content !== '') this.#listener.contentArrived(content);
  }
}

/** The error object of a refusal, or of an event inside a stream. */
export function readError(body: Readonly<Record<string, unknown>>): MessageError | undefined {
  const error = body['error'];
  if (!isObject(error)) return undefined;
  return {
    code: typeof error['code'] === 'string' ? error['code'] : 'engine_failed',
    message: typeof error['message'] === 'string' ? error['message'].slice(0, 2000) : 'The answer failed.',
  };
}

export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readUsage(usage: Readonly<Record<string, unknown>>): TokenUsage {
  const prompt = isObject(usage['prompt_tokens_details']) ? usage['prompt_tokens_details'] : {};
  const completion = isObject(usage['completion_tokens_details']) ? usage['completion_tokens_details'] : {};
  return {
    inputTokens: count(usage['prompt_tokens']),
    outputTokens: count(usage['completion_tokens']),
    cachedTokens: count(prompt['cached_tokens']),
    reasoningTokens: count(completion['reasoning_tokens']),
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
