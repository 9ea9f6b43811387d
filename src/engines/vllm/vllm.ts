import type { InferenceEndpoint } from '#vocabulary/inference';
import { commonAddress, type EngineKindRules } from '../engine-kind.ts';

export const vllmRules: EngineKindRules = {
  addressOf: vllmAddress,
  adjustBody(edits, route) {
    const { fields } = route.ticket.arrival.envelope;
    // vLLM refuses both switches on, and only reads the second from the body as sent.
    if (fields.get('continue_final_message')?.kind === 'boolean' && !fields.has('add_generation_prompt')) {
      edits.set('add_generation_prompt', 'false');
    }
  },
  takesRequestIdHeader: true,
  speaksPublicForm: false,
  abortCall: () => undefined,
};

function vllmAddress(endpoint: InferenceEndpoint): string {
  return endpoint === 'tokenize' || endpoint === 'detokenize' ? `/${endpoint}` : commonAddress(endpoint);
}
