import type { InferenceEndpoint, Route } from '#vocabulary/inference';
import { commonAddress, continueWithoutBeginning, type EngineKindRules } from '../engine-kind.ts';
import { readGauges } from '../prometheus-text.ts';

export const llamaServerRules: EngineKindRules = {
  addressOf: llamaServerAddress,
  adjustBody: adjustLlamaServerBody,
  takesRequestIdHeader: false,
  speaksPublicForm: false,
  continues: 'answers',
  isOurOwn: false,
  loadSignal: {
    address: '/metrics',
    read: (text) =>
      readGauges(text, {
        running: 'llamacpp:requests_processing',
        waiting: 'llamacpp:requests_deferred',
        cacheUse: ['llamacpp:kv_cache_usage_ratio'],
      }),
  },
  tokenCounters: {
    input: ['llamacpp:prompt_tokens_total'],
    output: ['llamacpp:tokens_predicted_total'],
    includesCached: false,
  },
  abortCall: () => undefined,
};

/**
 * Always a stream, also for a caller who wants one piece: while others keep it busy, llama-server does not notice that
 * the reader of a whole answer has left; and only a stream counts every choice and leaves out what it continues.
 */
function adjustLlamaServerBody(edits: Map<string, string | undefined>, route: Route): void {
  continueWithoutBeginning(edits, route);
  const { endpoint, wantsStream } = route.request;
  if (wantsStream || (endpoint !== 'chat/completions' && endpoint !== 'completions')) return;
  edits.set('stream', 'true');
  edits.set('stream_options', '{"include_usage":true}');
}

function llamaServerAddress(endpoint: InferenceEndpoint): string | undefined {
  switch (endpoint) {
    case 'tokenize':
    case 'detokenize':
      return `/${endpoint}`;
    case 'score':
    // Its own translation has gaps that ours does not, and does not notice when a reader leaves.
    case 'responses':
    case 'messages':
      return undefined;
    default:
      return commonAddress(endpoint);
  }
}
