import type { InferenceEndpoint } from '#vocabulary/inference';
import { commonAddress, type EngineKindRules, isGeneration, tellUsageFromTheStart } from '../engine-kind.ts';

/** Our own engine: knows the public model ids and forms, so its frames travel as they are. */
export const embeddedRules: EngineKindRules = {
  addressOf: (endpoint) => (offered.has(endpoint) ? commonAddress(endpoint) : undefined),
  adjustBody(edits, route) {
    tellUsageFromTheStart(edits, route);
    if (isGeneration(route)) edits.set('cache_salt', JSON.stringify(route.request.share.cacheSalt));
  },
  takesRequestIdHeader: true,
  speaksPublicForm: true,
  continues: 'everything',
  isOurOwn: true,
  loadSignal: undefined,
  tokenCounters: {
    input: ['gatehouse_engine_prompt_tokens_total'],
    output: ['gatehouse_engine_generation_tokens_total'],
    includesCached: true,
  },
  abortCall: () => undefined,
};

const offered: ReadonlySet<InferenceEndpoint> = new Set<InferenceEndpoint>([
  'chat/completions',
  'completions',
  'embeddings',
  'tokenize',
  'detokenize',
]);
