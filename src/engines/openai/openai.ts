import type { InferenceEndpoint } from '#vocabulary/inference';
import { commonAddress, type EngineKindRules } from '../engine-kind.ts';

/** Any other server that speaks OpenAI's dialect. Only OpenAI's own endpoints are expected of it. */
export const openaiRules: EngineKindRules = {
  addressOf: (endpoint) => (ownEndpoints.has(endpoint) ? commonAddress(endpoint) : undefined),
  adjustBody: () => {},
  takesRequestIdHeader: false,
  speaksPublicForm: false,
  loadSignal: undefined,
  abortCall: () => undefined,
};

const ownEndpoints: ReadonlySet<InferenceEndpoint> = new Set<InferenceEndpoint>([
  'chat/completions',
  'completions',
  'embeddings',
  'responses',
]);
