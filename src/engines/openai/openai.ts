import type { InferenceEndpoint } from '#vocabulary/inference';
import { commonAddress, type EngineKindRules } from '../engine-kind.ts';

/** Any other server that speaks OpenAI's dialect. Only what all of them have is expected of it. */
export const openaiRules: EngineKindRules = {
  addressOf: (endpoint) => (commonEndpoints.has(endpoint) ? commonAddress(endpoint) : undefined),
  adjustBody: () => {},
  takesRequestIdHeader: false,
  speaksPublicForm: false,
  continues: 'nothing',
  isOurOwn: false,
  loadSignal: undefined,
  tokenCounters: undefined,
  abortCall: () => undefined,
};

const commonEndpoints: ReadonlySet<InferenceEndpoint> = new Set<InferenceEndpoint>([
  'chat/completions',
  'completions',
  'embeddings',
]);
