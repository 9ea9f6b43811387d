import type { EngineLoad } from '#vocabulary/catalogue';
import type { InferenceEndpoint, Route } from '#vocabulary/inference';

/** How one kind of engine differs from the others. Everything not named here is the same for all. */
export interface EngineKindRules {
  /** Where the engine answers an endpoint; undefined when it does not offer it. */
  addressOf(endpoint: InferenceEndpoint): string | undefined;
  /** Changes to the body beyond those every engine gets. */
  adjustBody(edits: Map<string, string | undefined>, route: Route, mark: TryMark): void;
  /** Whether the engine takes our request id as a header and makes its answer's id of it. */
  readonly takesRequestIdHeader: boolean;
  /** Whether it already speaks the public form: public model id, both reasoning fields, our tags. */
  readonly speaksPublicForm: boolean;
  /** What it can go on with that another engine began: everything includes open thoughts and answers of a given shape. */
  readonly continues: 'nothing' | 'answers' | 'everything';
  /** Started by us, so that a request which kills it costs a start. */
  readonly isOurOwn: boolean;
  /** Where the engine tells how much work it has, also work that others gave it. */
  readonly loadSignal: LoadSignal | undefined;
  /** The names under which `/metrics` counts tokens; undefined when engines of this kind do not. */
  readonly tokenCounters: TokenCounterNames | undefined;
  /** A call that stops a generation; must be answered before the socket closes. Undefined: closing is enough. */
  abortCall(route: Route, mark: TryMark): { readonly address: string; readonly body: string } | undefined;
}

/**
 * What stands before our id in an engine's name for one try; nothing for the first. A line that was lost says nothing of
 * whether the engine has noticed, and the next try may reach it again, under another name or behind a router. There it
 * would be refused under a name that is in hand, and SGLang aborts all that begin like one: so the mark comes first.
 */
export type TryMark = string;

export function tryMark({ earlierTries }: Route, isRepeated: boolean): TryMark {
  const mark = `${earlierTries === 0 ? '' : earlierTries}${isRepeated ? 'r' : ''}`;
  return mark === '' ? '' : `${mark}-`;
}

export interface LoadSignal {
  readonly address: string;
  /** Undefined when the answer does not say. */
  read(text: string): EngineLoad | undefined;
}

export interface TokenCounterNames {
  /** Releases differ: the first that is there counts. */
  readonly input: readonly string[];
  readonly output: readonly string[];
  /** Whether the input counter also counts prompt tokens that came from the cache. */
  readonly includesCached: boolean;
}

/** The paths of OpenAI's own and of the widely shared extensions. */
export function commonAddress(endpoint: InferenceEndpoint): string {
  let address = commonAddresses.get(endpoint);
  if (address === undefined) commonAddresses.set(endpoint, (address = `/v1/${endpoint}`));
  return address;
}

/** As many as there are endpoints. The same text every time, because heads are found by it, and a new one has no hash. */
const commonAddresses = new Map<InferenceEndpoint, string>();

/**
 * vLLM and llama-server refuse to continue a message and to begin a new one at once, and take the second for granted
 * when the body does not say.
 */
export function continueWithoutBeginning(edits: Map<string, string | undefined>, { request }: Route): void {
  const { fields } = request.envelope;
  if (fields.get('continue_final_message')?.kind === 'boolean' && !fields.has('add_generation_prompt')) {
    edits.set('add_generation_prompt', 'false');
  }
}

/** Whoever streams in the dialect of Messages is told at the beginning what the prompt came to. */
export function tellUsageFromTheStart(edits: Map<string, string | undefined>, { request }: Route): void {
  if (request.spoken === 'messages' && request.wantsStream)
    edits.set('stream_options', '{"include_usage":true,"continuous_usage_stats":true}');
}

export function isGeneration({ request }: Route): boolean {
  return request.endpoint === 'chat/completions' || request.endpoint === 'completions';
}
