/** A real engine, as its makers ship it, running with the pocket model on a port of its own. */
export interface RealEngine extends AsyncDisposable {
  /** What the gateway calls this kind of engine. */
  readonly kind: 'vllm' | 'sglang' | 'llama-server' | 'openai';
  readonly version: string;
  /** Without a slash at the end. */
  readonly url: string;
  /** What the engine calls the model. */
  readonly model: string;
  /** What one request may use of the context. */
  readonly contextTokens: number;
  readonly abilities: EngineAbilities;
  /** As the engine itself tells: requests running now, and tokens read and written since it started. */
  readRunning(): Promise<number>;
  readRead(): Promise<number>;
  readWritten(): Promise<number>;
  /** The end of what the engine wrote, for the message of a failing test. */
  logs(): string;
}

/** Where engines may rightly differ; everything else is expected of every one of them. */
export interface EngineAbilities {
  readonly embeds: boolean;
  readonly repeatsSeeds: boolean;
  /** With the first chunk of a stream already, when it is asked to. */
  readonly tellsUsageFromTheStart: boolean;
  /** Whether its own counter of prompts has what came from its cache. */
  readonly countsCached: boolean;
  /** How often that counter has one prompt that is answered twice. */
  readonly countsOfPromptForTwo: number;
}

export const pocketModel = new URL('../../models/pocket-v2.gguf', import.meta.url).pathname;
