import type { InferenceEndpoint } from '#vocabulary/inference';
import { commonAddress, continueWithoutBeginning, type EngineKindRules } from '../engine-kind.ts';
import { readGauges } from '../prometheus-text.ts';

export const vllmRules: EngineKindRules = {
  addressOf: vllmAddress,
  adjustBody: continueWithoutBeginning,
  takesRequestIdHeader: true,
  speaksPublicForm: false,
  loadSignal: {
    address: '/metrics',
    read: (text) => readGauges(text, 'vllm:num_requests_running', 'vllm:num_requests_waiting'),
  },
  abortCall: () => undefined,
};

function vllmAddress(endpoint: InferenceEndpoint): string {
  return endpoint === 'tokenize' || endpoint === 'detokenize' ? `/${endpoint}` : commonAddress(endpoint);
}
