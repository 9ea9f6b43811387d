import type { InferenceEndpoint } from '#vocabulary/inference';
import { commonAddress, type EngineKindRules } from '../engine-kind.ts';
import { readGauges } from '../prometheus-text.ts';

export const llamaServerRules: EngineKindRules = {
  addressOf: llamaServerAddress,
  adjustBody: () => {},
  takesRequestIdHeader: false,
  speaksPublicForm: false,
  loadSignal: {
    address: '/metrics',
    read: (text) => readGauges(text, 'llamacpp:requests_processing', 'llamacpp:requests_deferred'),
  },
  abortCall: () => undefined,
};

function llamaServerAddress(endpoint: InferenceEndpoint): string | undefined {
  switch (endpoint) {
    case 'tokenize':
    case 'detokenize':
      return `/${endpoint}`;
    case 'score':
      return undefined;
    default:
      return commonAddress(endpoint);
  }
}
