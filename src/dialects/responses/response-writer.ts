import { isObject, type JsonObject } from '#dialects/json-object';
import {
  type AnswerFacts,
  type AnswerObserver,
  type AnswerTranslator,
  type ChatError,
  namedFrame,
} from '#dialects/translation';
import { CallItem, CustomCallItem, type OutputItem, TextItem, type TextKind } from './output-items.ts';
import { responseError } from './response-error.ts';
import { responseUsage } from './response-usage.ts';
import type { CalledTool } from './tools.ts';

/** Writes a response out of the chunks of a chat completion: items that grow, and an event for each step. */
export class ResponseWriter implements AnswerTranslator {
  readonly #frame: JsonObject;
  readonly #idPart: string;
  readonly #observer: AnswerObserver | undefined;
  readonly #renamedTools: ReadonlyMap<string, CalledTool>;
  /** Bounded by what an engine may answer. */
  readonly #items: OutputItem[] = [];
  /** Finished ones, as they stay. */
  readonly #closed = new Map<OutputItem, JsonObject>();
  /** By their index in the chat. They stay open until the end, because their parts may come in any order. */
  readonly #calls = new Map<number, CallItem | CustomCallItem>();
  #text: TextItem | undefined;
  #usage: JsonObject | null = null;
  #finishReason: string | undefined;
  #frames = '';
  #heldBytes = 0;
  #sequenceNumber = 0;
  #isOver = false;

  constructor(frame: JsonObject, facts: AnswerFacts, renamedTools: ReadonlyMap<string, CalledTool>) {
    this.#frame = frame;
    this.#idPart = facts.requestId.replaceAll('-', '');
    this.#observer = facts.observer;
    this.#renamedTools = renamedTools;
  }

  /** Each piece is told once more when its item is done, and once more at the end. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  begin(): string {
    this.#emit('response.created', { response: this.#frame });
    this.#emit('response.in_progress', { response: this.#frame });
    return this.#take();
  }

  chunk({ choices, usage }: JsonObject): string {
    if (this.#isOver) return '';
    if (isObject(usage)) this.#usage = responseUsage(usage);
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (isObject(choice)) this.#add(isObject(choice.delta) ? choice.delta : {}, choice);
    return this.#take();
  }

  end(): string {
    if (this.#isOver) return '';
    this.#isOver = true;
    const response = this.#finish();
    this.#emit(`response.${String(response.status)}`, { response });
    return this.#take();
  }

  fail(error: ChatError): string {
    if (this.#isOver) return '';
    this.#isOver = true;
    const response = {
      ...this.#frame,
      status: 'failed',
      output: this.#output('incomplete'),
      usage: this.#usage,
      error: responseError(error),
    };
    this.#emit('response.failed', { response });
    this.#observer?.finished(response);
    return this.#take();
  }

  whole({ choices, usage }: JsonObject): JsonObject | undefined {
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isObject(choice) || !isObject(choice.message)) return undefined;
    if (isObject(usage)) this.#usage = responseUsage(usage);
    this.#add(choice.message, choice);
    return this.#finish();
  }

  /** A piece of a message, or all of it. */
  #add(spoken: JsonObject, choice: JsonObject): void {
    const thought = [spoken.reasoning, spoken.reasoning_content].find(isText);
    if (isText(thought)) this.#addText('reasoning_text', thought, []);
    const logprobs = isObject(choice.logprobs) ? choice.logprobs.content : undefined;
    if (isText(spoken.content))
      this.#addText('output_text', spoken.content, Array.isArray(logprobs) ? logprobs : []);
    if (isText(spoken.refusal)) this.#addText('refusal', spoken.refusal, []);
    const calls: readonly unknown[] = Array.isArray(spoken.tool_calls) ? spoken.tool_calls : [];
    for (const [index, call] of calls.entries()) if (isObject(call)) this.#addCall(call, index);
    if (isText(choice.finish_reason)) this.#finishReason = choice.finish_reason;
  }

  #addText(kind: TextKind, delta: string, logprobs: readonly unknown[]): void {
    this.#heldBytes += delta.length * 3 + logprobs.length * bytesPerLogprob;
    if (this.#text?.kind !== kind) {
      this.#closeText('completed');
      this.#text = new TextItem(kind, this.#place(kind === 'reasoning_text' ? 'rs' : 'msg'));
      this.#items.push(this.#text);
    }
    this.#text.add(delta, logprobs);
  }

  /** A whole message lists its calls in order; only pieces of them have an index. */
  #addCall(call: JsonObject, place: number): void {
    const index = typeof call.index === 'number' ? call.index : place;
    const called = isObject(call.function) ? call.function : {};
    let item = this.#calls.get(index);
    if (item === undefined) {
      this.#closeText('completed');
      const name = isText(called.name) ? called.name : '';
      const callId = isText(call.id) ? call.id : `call_${this.#idPart}_${index}`;
      const tool = this.#renamedTools.get(name) ?? { name, namespace: undefined, isCustom: false };
      item = tool.isCustom
        ? new CustomCallItem(this.#place('ctc'), callId, tool)
        : new CallItem(this.#place('fc'), callId, tool);
      this.#calls.set(index, item);
      this.#items.push(item);
    }
    if (!isText(called.arguments)) return;
    this.#heldBytes += called.arguments.length * 3;
    item.add(called.arguments);
  }

  #place(prefix: string): ConstructorParameters<typeof TextItem>[1] {
    const index = this.#items.length;
    return {
      id: `${prefix}_${this.#idPart}_${index}`,
      index,
      emit: (type, fields) => this.#emit(type, fields),
    };
  }

  #finish(): JsonObject {
    const reason = incompleteReasons.get(this.#finishReason ?? '');
    const isComplete = reason === undefined;
    const status = isComplete ? 'completed' : 'incomplete';
    this.#closeText(status);
    for (const call of this.#calls.values()) this.#close(call, status);
    const response = {
      ...this.#frame,
      status,
      incomplete_details: isComplete ? null : { reason },
      output: this.#output(status),
      usage: this.#usage,
    };
    this.#observer?.finished(response);
    return response;
  }

  #closeText(status: 'completed' | 'incomplete'): void {
    if (this.#text !== undefined) this.#close(this.#text, status);
    this.#text = undefined;
  }

  #close(item: OutputItem, status: 'completed' | 'incomplete'): void {
    item.close(status);
    this.#closed.set(item, item.snapshot(status));
  }

  #output(status: 'completed' | 'incomplete'): JsonObject[] {
    return this.#items.map((item) => this.#closed.get(item) ?? item.snapshot(status));
  }

  #emit(type: string, fields: JsonObject): void {
    this.#frames += namedFrame({ type, sequence_number: this.#sequenceNumber++, ...fields });
  }

  #take(): string {
    const frames = this.#frames;
    this.#frames = '';
    return frames;
  }
}

const bytesPerLogprob = 2048;

const incompleteReasons: ReadonlyMap<string, string> = new Map([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
]);

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
