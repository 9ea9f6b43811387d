/** What is served: models, the engines behind them and the networks that may use the direct door. */

export type EngineKind = 'vllm' | 'sglang' | 'llama-server' | 'openai' | 'embedded';

export interface EngineDefinition {
  readonly name: string;
  readonly kind: EngineKind;
  /** `http(s)://host:port[/prefix]` without `/v1`; for a unix socket the host part is a placeholder. */
  readonly url: string;
  readonly socketPath: string | undefined;
  /** Sent to the engine as a bearer token; never shown. */
  readonly credential: string | undefined;
  /** For kind `embedded` the number of sequences that are generated together. */
  readonly maxConcurrent: number;
  /** Only for kind `embedded`: the weights and how to run them. */
  readonly embedded: EmbeddedEngineDefinition | undefined;
}

/** What an engine tells about the work it has, from whomever. */
export interface EngineLoad {
  /** Requests running and waiting. */
  readonly inHand: number;
  /** Those of them that wait inside the engine; undefined when it does not say. */
  readonly queued: number | undefined;
  /** The part of its memory for prompts and answers that is taken, 0 to 1; undefined when it does not say. */
  readonly cacheUse: number | undefined;
}

/** What an engine says it has read and written since it started, for whomever. */
export interface EngineCounters {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether prompt tokens that it still held are counted as well. */
  readonly includesCached: boolean;
}

/** What came of asking an engine a question for the operator's sake. */
export interface EngineTrial {
  readonly isWell: boolean;
  /** The answer, or what went wrong; the beginning of it when it is long. */
  readonly text: string;
  readonly tookMs: number;
}

/** The same of an engine that is not served yet. */
export interface UnservedTrial extends EngineTrial {
  /** The model that was asked for, by the engine's own name for it. */
  readonly upstreamModel: string | undefined;
}

export interface EmbeddedEngineDefinition {
  readonly modelFile: string;
  /** `auto` leaves the gateway room to breathe on small machines. */
  readonly threads: number | 'auto';
  readonly contextTokens: number | 'auto';
  readonly gpu: 'auto' | 'off' | 'cuda' | 'vulkan' | 'metal';
  readonly start: 'boot' | 'demand';
  /** The supervisor restarts a process that holds more. */
  readonly memoryLimitBytes: number | undefined;
}

/** How a model's thinking reaches the caller unless the request says otherwise (`separate_reasoning`). */
export type ReasoningForm = 'none' | 'think-tags' | 'separate';

export type ReasoningEffort = 'low' | 'medium' | 'high';

export interface ModelDefinition {
  readonly id: string;
  /** First segment of the direct address: `{base}/<path>/v1/`. */
  readonly path: string;
  readonly aliases: readonly string[];
  /** One sentence for people who choose a model. */
  readonly description: string;
  /** Questions for an empty chat; none: the chat has its own. */
  readonly suggestions: readonly string[];
  readonly replicas: readonly ModelReplica[];
  readonly supportsTools: boolean;
  /** Whether it can look at pictures. */
  readonly supportsVision: boolean;
  /** It turns texts into vectors and writes no answers: the chat does not offer it. */
  readonly isForEmbeddings: boolean;
  /** What stands before a question, and before a passage, when documents are searched with it. */
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  readonly supportsReasoningEffort: boolean;
  readonly defaultReasoningEffort: ReasoningEffort;
  readonly reasoning: ReasoningForm;
  readonly contextTokens: number | undefined;
  /** Whether its words are good enough for the titles of chats. */
  readonly writesTitles: boolean;
  /** For engines that render the chat template here (embedded): defaults per model. */
  readonly templateKwargs: Readonly<Record<string, unknown>>;
  readonly thinkingBudgetTokens: Readonly<Record<ReasoningEffort, number>> | undefined;
  readonly samplingDefaults: Readonly<Record<string, number>>;
  /** People are told that it is here to try the service, not to rely on. */
  readonly isForTryingOut: boolean;
  /** What one of its tokens costs against one of a model of weight 1. */
  readonly costWeight: number;
}

export interface ModelReplica {
  readonly engineName: string;
  /** The name the engine knows the model by. */
  readonly upstreamModel: string;
  /** How the engine itself delivers thinking: in its own fields, or as tags inside `content`. */
  readonly upstreamReasoning: 'fields' | 'inline' | 'none';
}

export interface NetworkRule {
  readonly cidr: string;
  readonly project: string | undefined;
}

/** One consistent view; a reload makes a new one, running requests keep theirs. */
export interface Catalogue {
  readonly models: readonly ModelDefinition[];
  readonly engines: readonly EngineDefinition[];
  readonly directNetworks: readonly NetworkRule[];
  readonly trustedProxies: readonly string[];
}

/** For each model the first of those that the same engines serve: whoever waits for one of them waits for the same places. */
export function crewsOf({ models }: Pick<Catalogue, 'models'>): Map<string, string> {
  const leaders = new Map<string, string>();
  return new Map(
    models.map(({ id, replicas }) => {
      const crew = JSON.stringify(replicas.map(({ engineName }) => engineName).sort());
      const leader = leaders.get(crew) ?? id;
      leaders.set(crew, leader);
      return [id, leader];
    }),
  );
}
