/** One question that shows whether a row of a table in `docs/dialects.md` is true. */
export interface Probe {
  /** Laid over a plain question. */
  readonly asks: Readonly<Record<string, unknown>>;
  /** Whether of the model that knows efforts. */
  readonly knowsEffort?: boolean;
  /** Whether after a response that was kept, with the words `hello`. */
  readonly goesOn?: boolean;
  /** Part of the chat that the engine gets. */
  readonly reaches?: Readonly<Record<string, unknown>>;
  /** Fields that the engine does not get. */
  readonly lacks?: readonly string[];
  /** What the caller is told that nobody heeds; nothing unless it is said here. */
  readonly ignored?: string;
  /** What the refusal with status 400 names. */
  readonly refused?: RegExp;
  /** Part of the answer. */
  readonly answers?: Readonly<Record<string, unknown>>;
}

/** By the first cell of the row, as it is written there. */
export type ProbesOfRows = Readonly<Record<string, readonly Probe[]>>;

/** A picture of one point. */
export const pictureData =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
