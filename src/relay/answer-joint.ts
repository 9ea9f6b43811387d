import { isObject } from '#dialects/json-object';
import { type BegunAnswer, continuationsOf } from '#vocabulary/begun-answer';
import { KnownWords } from './known-words.ts';

type Json = Record<string, unknown>;

/** Makes the chunks of a second engine the rest of the answer that the first one began. */
export class AnswerJoint {
  readonly #begun: BegunAnswer;
  readonly #head: Json;
  /** What the second engine may write again before it goes on. */
  #overlap: string;
  /** Where the second engine writes all of it once more. */
  readonly #known: KnownWords | undefined;
  /** The second engine takes for a thought what the first one gave as the answer. */
  isTorn = false;
  /** The last chunk told the caller nothing new. */
  isSilent = false;

  constructor(begun: BegunAnswer, publicModel: string) {
    this.#begun = begun;
    this.#head = { ...begun.head, model: publicModel };
    this.#overlap = begun.trailingBlanks;
    this.#known = begun.isReplayed && begun.seen !== undefined ? new KnownWords(begun.seen) : undefined;
  }

  /** The second engine, asked for the same, writes something else. */
  get isContradicted(): boolean {
    return this.#known?.isContradicted === true;
  }

  /** Undefined when nothing is left of the chunk. */
  join(chunk: Json): Json | undefined {
    const { usage } = chunk;
    this.isSilent = false;
    const joined: Json = { ...chunk, ...this.#head, ...(isObject(usage) ? { usage: this.#sum(usage) } : {}) };
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!isObject(choice)) return joined;
    const isText = typeof choice.text === 'string';
    const rest = isText ? this.#restOfText(choice) : this.#restOfDelta(choice);
    if (typeof choice.finish_reason !== 'string') {
      const isEmpty = isText
        ? rest.text === ''
        : isObject(rest.delta) && Object.keys(rest.delta).length === 0;
      this.isSilent = isEmpty && this.#known !== undefined;
      return isEmpty && !isObject(usage) ? undefined : { ...joined, choices: [rest] };
    }
    this.#known?.somethingElse();
    // Clients pass over fields that they do not know.
    return { ...joined, choices: [rest], gatehouse: { continuations: continuationsOf(this.#begun) } };
  }

  /** The prompt of the second engine held the words of the first. */
  #sum(usage: Json): Json {
    if (this.#known !== undefined) return usage;
    const { outputTokens, reasoningTokens } = this.#begun;
    const written = Number(usage.completion_tokens) + outputTokens;
    const read = Math.max(0, Number(usage.prompt_tokens) - outputTokens);
    const details = usage.completion_tokens_details;
    return {
      ...usage,
      prompt_tokens: read,
      completion_tokens: written,
      total_tokens: read + written,
      ...(isObject(details) && {
        completion_tokens_details: {
          ...details,
          reasoning_tokens: Number(details.reasoning_tokens ?? 0) + reasoningTokens,
        },
      }),
    };
  }

  #restOfText(choice: Json): Json {
    return { ...choice, text: this.#newIn('text', String(choice.text)) };
  }

  #restOfDelta(choice: Json): Json {
    if (!isObject(choice.delta)) return choice;
    const { role: _role, content, reasoning, reasoning_content: named, ...delta } = choice.delta;
    const thought = wordsOf(reasoning) || wordsOf(named);
    this.isTorn ||= this.#known === undefined && thought !== '' && this.#begun.text !== '';
    const newThought = this.#newIn('thoughts', thought);
    const newContent = this.#newIn('text', wordsOf(content));
    if (Object.keys(delta).length > 0) this.#known?.somethingElse();
    return {
      ...choice,
      delta: {
        ...delta,
        ...(newThought !== '' && { reasoning: newThought, reasoning_content: newThought }),
        ...(newContent !== '' && { content: newContent }),
      },
    };
  }

  #newIn(voice: 'thoughts' | 'text', said: string): string {
    return this.#known === undefined ? this.#withoutOverlap(said) : this.#known.newIn(voice, said);
  }

  #withoutOverlap(said: string): string {
    let known = 0;
    while (known < said.length && known < this.#overlap.length && said[known] === this.#overlap[known])
      known++;
    // From the first difference on, everything is new.
    this.#overlap = known === said.length ? this.#overlap.slice(known) : '';
    return said.slice(known);
  }
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
