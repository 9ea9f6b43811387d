import type { InferenceEndpoint } from '#vocabulary/inference';
import type { Share } from '#vocabulary/sharing';
import { commonAddress, type EngineKindRules, isGeneration, tellUsageFromTheStart } from '../engine-kind.ts';

/** Our own engine: knows the public model ids and forms, so its frames travel as they are. */
export const embeddedRules: EngineKindRules = {
  addressOf: (endpoint) => (offered.has(endpoint) ? commonAddress(endpoint) : undefined),
  adjustBody(edits, route) {
    tellUsageFromTheStart(edits, route);
    if (!isGeneration(route)) return;
    const { share } = route.request;
    edits.set('cache_salt', JSON.stringify(share.cacheSalt));
    edits.set('member', JSON.stringify(memberOf(share)));
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

/** Whom the engine is to be fair to. Background work is nobody's in particular: nothing else waits for it. */
function memberOf({ lane, projectId, memberId }: Share): string {
  return lane === 'background' ? '' : `${projectId} ${memberId}`;
}

const offered: ReadonlySet<InferenceEndpoint> = new Set<InferenceEndpoint>([
  'chat/completions',
  'completions',
  'embeddings',
  'tokenize',
  'detokenize',
]);
