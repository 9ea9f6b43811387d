/**
 * Engines leave fields of a choice out, or send them empty, where OpenAI's own service does the opposite. Clients with
 * strict types stumble over either, so every choice gets the same fields whoever made it. One per request.
 */
export class StandardChoices {
  /** The id of each call that has begun. As many as the engine makes calls in one answer. */
  readonly #begunCalls = new Map<string, unknown>();

  standardize(choice: Json, part: 'delta' | 'message'): Json {
    const spoken = choice[part];
    if (part === 'delta') {
      return isObject(spoken) && 'tool_calls' in spoken
        ? { ...choice, delta: this.#standardDelta(spoken, choice.index) }
        : choice;
    }
    const whole = { ...choice, logprobs: choice.logprobs ?? null };
    return isObject(spoken) ? { ...whole, message: standardMessage(spoken) } : whole;
  }

  #standardDelta({ tool_calls: calls, ...rest }: Json, choiceIndex: unknown): Json {
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
      return { ...call, type: 'function' };
    }
    const fragment = isObject(called) ? called.arguments : undefined;
    return { ...rest, function: { arguments: typeof fragment === 'string' ? fragment : '' } };
  }
}

type Json = Record<string, unknown>;

/** Calls are there when the model calls, and not otherwise. */
function standardMessage({ tool_calls: calls, ...rest }: Json): Json {
  const message = { ...rest, refusal: rest.refusal ?? null };
  return Array.isArray(calls) && calls.length > 0 ? { ...message, tool_calls: calls } : message;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
