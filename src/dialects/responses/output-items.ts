import { isObject, type JsonObject } from '#dialects/json-object';
import type { CalledTool } from './tools.ts';

/** Gives an event its number and sends it. */
export type Emit = (type: string, fields: JsonObject) => void;

/** One item of an answer while it is being written. */
export interface OutputItem {
  /** As it stands now. */
  snapshot(status: ItemStatus): JsonObject;
  close(status: ItemStatus): void;
}

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

interface Place {
  readonly id: string;
  readonly index: number;
  readonly emit: Emit;
}

/** What the model says, thinks or refuses: a text that grows. */
export class TextItem implements OutputItem {
  readonly kind: TextKind;
  readonly #place: Place;
  readonly #logprobs: unknown[] = [];
  #text = '';

  constructor(kind: TextKind, place: Place) {
    this.kind = kind;
    this.#place = place;
    place.emit('response.output_item.added', {
      output_index: place.index,
      item: { ...this.#item('in_progress'), content: [] },
    });
    place.emit('response.content_part.added', { ...this.#at(), part: this.#part() });
  }

  add(delta: string, logprobs: readonly unknown[]): void {
    this.#text += delta;
    this.#logprobs.push(...logprobs);
    const extra = this.kind === 'output_text' ? { logprobs } : {};
    this.#place.emit(`response.${this.kind}.delta`, { ...this.#at(), delta, ...extra });
  }

  snapshot(status: ItemStatus): JsonObject {
    return { ...this.#item(status), content: [this.#part()] };
  }

  close(status: ItemStatus): void {
    const { emit, index } = this.#place;
    const said =
      this.kind === 'refusal'
        ? { refusal: this.#text }
        : { text: this.#text, ...(this.kind === 'output_text' ? { logprobs: this.#logprobs } : {}) };
    emit(`response.${this.kind}.done`, { ...this.#at(), ...said });
    emit('response.content_part.done', { ...this.#at(), part: this.#part() });
    emit('response.output_item.done', { output_index: index, item: this.snapshot(status) });
  }

  #at(): JsonObject {
    return { item_id: this.#place.id, output_index: this.#place.index, content_index: 0 };
  }

  #item(status: ItemStatus): JsonObject {
    const { id } = this.#place;
    return this.kind === 'reasoning_text'
      ? { id, type: 'reasoning', status, summary: [] }
      : { id, type: 'message', status, role: 'assistant' };
  }

  #part(): JsonObject {
    if (this.kind === 'refusal') return { type: 'refusal', refusal: this.#text };
    const text = { type: this.kind, text: this.#text };
    return this.kind === 'reasoning_text' ? text : { ...text, annotations: [], logprobs: this.#logprobs };
  }
}

export type TextKind = 'output_text' | 'reasoning_text' | 'refusal';

/** A function that the model calls, with arguments that grow. */
export class CallItem implements OutputItem {
  readonly #place: Place;
  readonly #callId: string;
  readonly #tool: CalledTool;
  #arguments = '';

  constructor(place: Place, callId: string, tool: CalledTool) {
    this.#place = place;
    this.#callId = callId;
    this.#tool = tool;
    const item = this.snapshot('in_progress');
    place.emit('response.output_item.added', { output_index: place.index, item });
  }

  add(delta: string): void {
    if (delta === '') return;
    this.#arguments += delta;
    this.#place.emit('response.function_call_arguments.delta', { ...this.#at(), delta });
  }

  snapshot(status: ItemStatus): JsonObject {
    const { id } = this.#place;
    const call = { call_id: this.#callId, ...namesOf(this.#tool), arguments: this.#arguments };
    return { id, type: 'function_call', status, ...call };
  }

  close(status: ItemStatus): void {
    const { emit, index } = this.#place;
    const given = { name: this.#tool.name, arguments: this.#arguments };
    emit('response.function_call_arguments.done', { ...this.#at(), ...given });
    emit('response.output_item.done', { output_index: index, item: this.snapshot(status) });
  }

  #at(): JsonObject {
    return { item_id: this.#place.id, output_index: this.#place.index };
  }
}

/** A custom tool takes plain text, which lies inside the arguments and is known when they are complete. */
export class CustomCallItem implements OutputItem {
  readonly #place: Place;
  readonly #callId: string;
  readonly #tool: CalledTool;
  #arguments = '';

  constructor(place: Place, callId: string, tool: CalledTool) {
    this.#place = place;
    this.#callId = callId;
    this.#tool = tool;
    const item = { ...this.snapshot('in_progress'), input: '' };
    place.emit('response.output_item.added', { output_index: place.index, item });
  }

  add(delta: string): void {
    this.#arguments += delta;
  }

  snapshot(status: ItemStatus): JsonObject {
    const { id } = this.#place;
    const call = { call_id: this.#callId, ...namesOf(this.#tool), input: plainInput(this.#arguments) };
    return { id, type: 'custom_tool_call', status, ...call };
  }

  close(status: ItemStatus): void {
    const { emit, index, id } = this.#place;
    const at = { item_id: id, output_index: index };
    const input = plainInput(this.#arguments);
    if (input !== '') emit('response.custom_tool_call_input.delta', { ...at, delta: input });
    emit('response.custom_tool_call_input.done', { ...at, input });
    emit('response.output_item.done', { output_index: index, item: this.snapshot(status) });
  }
}

function namesOf({ name, namespace }: CalledTool): JsonObject {
  return namespace === undefined ? { name } : { name, namespace };
}

/** A model that did not keep to the form has still written something for the tool. */
function plainInput(given: string): string {
  try {
    const value: unknown = JSON.parse(given);
    return isObject(value) && typeof value.input === 'string' ? value.input : given;
  } catch {
    return given;
  }
}
