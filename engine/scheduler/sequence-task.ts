import type { IsToken, TokenScores } from '../sampling/token-chooser.ts';
import type { SamplingParameters } from '../sampling/sampling-parameters.ts';

/** One text to write: what the step loop needs to know, and where it puts the tokens. */
export interface SequenceTask {
  readonly promptTokens: readonly number[];
  /** Only prompts with the same salt share what is still in the cache. */
  readonly cacheSalt: string;
  /** Whose it is: members share the engine. Empty when it is nobody's in particular; then nobody waits for it. */
  readonly member: string;
  readonly sampling: SamplingParameters;
  /** Alternatives to report per token; undefined reports no scores. */
  readonly alternatives: number | undefined;
  /** Reports the scores of the prompt's own tokens; such a prompt is read whole. */
  readonly scoresPrompt: boolean;
  readonly writer: SequenceWriter;
  /** What will probably be written: read ahead, so that several tokens can be chosen in one step. */
  readonly draft?: TokenDraft | undefined;
}

export interface TokenDraft {
  /** At most so many tokens that may follow what was chosen so far. */
  next(most: number): readonly number[];
  /** Told of every token, drafted or not. */
  chosen(token: number): void;
}

/**
 * Called by the step loop between two steps, never twice at once. Everything thrown here ends this sequence
 * through `failed` and no other.
 */
export interface SequenceWriter {
  /** Once, before the first token. */
  promptRead(reading: PromptReading): void;
  /** What the next token must obey. */
  nextDirective(): Directive;
  accept(token: number, scores: TokenScores | undefined): 'continue' | 'finished';
  /** Nothing is called afterwards. */
  failed(cause: Error): void;
}

export interface PromptReading {
  readonly cachedTokens: number;
  /** One for every prompt token after the first; empty unless asked for. */
  readonly scores: readonly TokenScores[];
}

export type Directive =
  /** Any token but these; the same list object means the same phase, so that the sampler is kept. */
  | { readonly kind: 'free'; readonly banned: readonly number[] }
  | { readonly kind: 'forced'; readonly tokens: readonly number[] }
  | { readonly kind: 'among'; readonly allows: IsToken; readonly shuns?: IsToken | undefined }
  /** Nothing may follow; the writer has already finished its text. */
  | { readonly kind: 'end' };

export interface SequenceHandle {
  /** Frees the slot before the next step. Harmless after the end. */
  cancel(): void;
  /** A text that probably continues this one; read into its slot while nobody is waiting. */
  readAhead(text: () => Promise<readonly number[]>): void;
}
