import type { InferenceEndpoint } from '#vocabulary/inference';
import {
  commonAddress,
  continueWithoutBeginning,
  type EngineKindRules,
  isGeneration,
  tellUsageFromTheStart,
} from '../engine-kind.ts';
import { readGauges } from '../prometheus-text.ts';

export const vllmRules: EngineKindRules = {
  addressOf: vllmAddress,
  adjustBody(edits, route) {
    continueWithoutBeginning(edits, route);
    tellUsageFromTheStart(edits, route);
    if (isGeneration(route)) edits.set('cache_salt', JSON.stringify(route.request.share.cacheSalt));
  },
  takesRequestIdHeader: true,
  speaksPublicForm: false,
  continues: 'answers',
  isOurOwn: false,
  loadSignal: {
    address: '/metrics',
    read: (text) =>
      readGauges(text, {
        running: 'vllm:num_requests_running',
        waiting: 'vllm:num_requests_waiting',
        cacheUse: ['vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc'],
      }),
  },
  tokenCounters: {
    input: ['vllm:prompt_tokens_total'],
    output: ['vllm:generation_tokens_total'],
    includesCached: true,
  },
  abortCall: () => undefined,
};

function vllmAddress(endpoint: InferenceEndpoint): string | undefined {
  switch (endpoint) {
    case 'tokenize':
    case 'detokenize':
      return `/${endpoint}`;
    // There a prompt could not be kept apart from those of others.
    case 'messages':
    case 'responses':
      return undefined;
    default:
      return commonAddress(endpoint);
  }
}
