import type { InferenceEndpoint } from '#vocabulary/inference';
import { commonAddress, type EngineKindRules } from '../engine-kind.ts';
import { readGauges } from '../prometheus-text.ts';

export const vllmRules: EngineKindRules = {
  addressOf: vllmAddress,
  adjustBody(edits, route) {
    const { fields } = route.request.envelope;
    // vLLM refuses both switches on, and only reads the second from the body as sent.
    if (fields.get('continue_final_message')?.kind === 'boolean' && !fields.has('add_generation_prompt')) {
      edits.set('add_generation_prompt', 'false');
    }
  },
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
