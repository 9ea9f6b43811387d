import { isObject } from '#dialects/json-object';
import { textLogprobs } from './text-logprobs.ts';

/**
 * Engines leave fields of a choice out, or send them empty, where OpenAI's own service does the opposite. Clients with
 * strict types stumble over either, so every choice gets the same fields whoever made it. One per request.
 */
export class StandardChoices {
  /** The id of each call that has begun. As many as the engine makes calls in one answer. */
  readonly #begunCalls = new Map<string, unknown>();
  /** How much text each choice of a text completion has. */
  readonly #textLengths = new Map<unknown, number>();

  standardize(choice: Json, part: 'delta' | 'message'): Json {
    if (typeof choice.text === 'string') return this.#standardText(choice, choice.text);
    const spoken = choice[part];
    if (part === 'delta')
      return isObject(spoken) ? { ...choice, delta: this.#standardDelta(spoken, choice.index) } : choice;
    const whole = { ...choice, logprobs: choice.logprobs ?? null };
    return isObject(spoken) ? { ...whole, message: standardMessage(spoken) } : whole;
  }

  #standardText(choice: Json, text: string): Json {
    const offset = this.#textLengths.get(choice.index) ?? 0;
    this.#textLengths.set(choice.index, offset + text.length);
    return { ...choice, logprobs: textLogprobs(choice.logprobs, offset) };
  }

  #standardDelta({ tool_calls: calls, ...spoken }: Json, choiceIndex: unknown): Json {
    const { role, ...others } = spoken;
    const rest = isNothing(role) ? others : spoken;
    if (!Array.isArray(calls) || calls.length === 0) return rest;
    return {
      ...rest,
      tool_calls: calls.map((call: unknown) =>
        isObject(call) ? this.#standardCall(call, `${String(choiceIndex)}/${String(call.index)}`) : call,
      ),
    };
  }

  /** Who is called stands in the first fragment of a call and nowhere else. */
  #standardCall(call: Json, place: string): Json {
    const { id, type: _type, function: called, ...rest } = call;
    const isSameCall = this.#begunCalls.has(place) && (isNothing(id) || id === this.#begunCalls.get(place));
    if (!isSameCall) {
      this.#begunCalls.set(place, id);
      return { ...call, type: 'function', function: { ...asObject(called), arguments: fragmentOf(called) } };
    }
    return { ...rest, function: { arguments: fragmentOf(called) } };
  }
}

type Json = Record<string, unknown>;

/** vLLM's first fragment has a name and no arguments. */
function fragmentOf(called: unknown): string {
  const { arguments: fragment } = asObject(called);
  return typeof fragment === 'string' ? fragment : '';
}

/** Calls are there when the model calls, and not otherwise. */
function standardMessage({ tool_calls: calls, ...rest }: Json): Json {
  const message = { ...rest, refusal: rest.refusal ?? null };
  return Array.isArray(calls) && calls.length > 0 ? { ...message, tool_calls: calls } : message;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function asObject(value: unknown): Json {
  return isObject(value) ? value : {};
}
