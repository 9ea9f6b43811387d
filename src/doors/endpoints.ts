import type { InferenceEndpoint } from '#vocabulary/inference';
import type { DoorName } from '#vocabulary/usage';

/** Everything that may reach an engine. What is not here does not exist: engines have dangerous addresses too. */
export const offeredEndpoints: Readonly<Record<DoorName, readonly InferenceEndpoint[]>> = {
  proxy: ['chat/completions', 'responses', 'messages', 'messages/count_tokens', 'embeddings'],
  chat: ['chat/completions', 'embeddings'],
  direct: [
    'chat/completions',
    'completions',
    'embeddings',
    'responses',
    'messages',
    'messages/count_tokens',
    'tokenize',
    'detokenize',
    'score',
    'rerank',
  ],
};

/** The others answer with one document. */
export const streamedEndpoints: ReadonlySet<InferenceEndpoint> = new Set<InferenceEndpoint>([
  'chat/completions',
  'completions',
  'responses',
  'messages',
]);

export function findEndpoint(door: DoorName, asked: string): InferenceEndpoint | undefined {
  return offeredEndpoints[door].find((endpoint) => endpoint === asked);
}
