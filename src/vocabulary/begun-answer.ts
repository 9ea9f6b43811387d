/** What was written of an answer when its engine died, or its gateway: where another one can go on. */
export interface BegunAnswer {
  /** Without the marks around them. */
  readonly thoughts: string;
  /** The last thought is not closed. */
  readonly isThinking: boolean;
  readonly text: string;
  /** What the caller has seen after the last word. Templates cut it off, so the next engine writes it again. */
  readonly trailingBlanks: string;
  /** The same letter for letter, as it came; undefined when somebody has gone on with it by its words. */
  readonly seen: { readonly thoughts: string; readonly text: string } | undefined;
  /** The next engine writes all of it once more, faster and the same: what the caller knows of it is passed over. */
  readonly isReplayed: boolean;
  /** Counted by frames until an engine has counted better. */
  readonly outputTokens: number;
  /** Those of them that were thoughts, by their share of the words. */
  readonly reasoningTokens: number;
  /** What the chunks of one answer have in common: its id, the time it was made. */
  readonly head: Readonly<Record<string, unknown>>;
  /** Engines that died with it, or would not go on with it. */
  readonly lostEngines: readonly string[];
  /** How many gateways died with it. */
  readonly lostGateways: number;
}

/** How often somebody else had to go on with it. */
export function continuationsOf(begun: BegunAnswer | undefined): number {
  return begun === undefined ? 0 : begun.lostEngines.length + begun.lostGateways;
}
