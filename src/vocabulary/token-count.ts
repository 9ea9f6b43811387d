/** A text alone, or a chat as its template writes it. */
export type Countable = string | CountableChat;

export interface CountableChat {
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  readonly tools?: readonly unknown[] | undefined;
}

/** Asks an engine of the model; undefined when none counts such a thing, or none at once. Never rejects. */
export type CountTokens = (modelId: string, counted: Countable) => Promise<number | undefined>;
