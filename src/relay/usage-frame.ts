type Json = Record<string, unknown>;

/**
 * The frame with the usage, kept back until the stream ends: llama-server sends one whenever a choice ends, in the
 * midst of the others, and each counts its own choice only.
 */
export class UsageFrame {
  #value: Json | undefined;

  get value(): Json | undefined {
    return this.#value;
  }

  add(chunk: Json, usage: Json): void {
    this.#value = { ...chunk, choices: [], usage: sum(this.#value?.usage as Json | undefined, usage) };
  }
}

/** All choices answer the same prompt, which counts once. */
function sum(known: Json | undefined, found: Json): Json {
  if (known === undefined) return found;
  const written = Number(known.completion_tokens) + Number(found.completion_tokens);
  return { ...found, completion_tokens: written, total_tokens: Number(found.prompt_tokens) + written };
}
