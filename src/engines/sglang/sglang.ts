import { answerId } from '#dialects/answer-id';
import type { EngineLoad } from '#vocabulary/catalogue';
import { commonAddress, type EngineKindRules, isGeneration, tellUsageFromTheStart } from '../engine-kind.ts';
import { fullest } from '../prometheus-text.ts';

/**
 * SGLang refuses explicit nulls where it has no optional field, takes its answer's id from `rid`, and in several
 * releases keeps generating after a closed socket: a generation is aborted by its `rid` before the socket closes. With
 * several choices it takes no `rid`; then the closed socket has to do.
 */
export const sglangRules: EngineKindRules = {
  // There a generation could neither be aborted nor kept apart from those of others: it takes no id and no key.
  addressOf: (endpoint) =>
    endpoint === 'messages' || endpoint === 'responses' ? undefined : commonAddress(endpoint),
  adjustBody(edits, route, mark) {
    const { request } = route;
    for (const [name, field] of request.envelope.fields) {
      if (field.kind === 'null') edits.set(name, undefined);
    }
    tellUsageFromTheStart(edits, route);
    if (isGeneration(route)) {
      edits.set('rid', JSON.stringify(mark + answerId(request)));
      edits.set('extra_key', JSON.stringify(request.share.cacheSalt));
    }
  },
  takesRequestIdHeader: false,
  speaksPublicForm: false,
  continues: 'answers',
  isOurOwn: false,
  loadSignal: { address: '/v1/loads', read: readSglangLoad },
  tokenCounters: {
    input: ['sglang:prompt_tokens_total', 'sglang_prompt_tokens_total'],
    output: ['sglang:generation_tokens_total', 'sglang_generation_tokens_total'],
    includesCached: true,
  },
  abortCall: ({ request }, mark) => ({
    address: '/abort_request',
    body: JSON.stringify({ rid: mark + answerId(request) }),
  }),
};

/** One entry per data-parallel rank. */
function readSglangLoad(text: string): EngineLoad | undefined {
  const parsed = JSON.parse(text) as { loads?: unknown };
  if (!Array.isArray(parsed.loads)) return undefined;
  let inHand = 0;
  let queued = 0;
  const cacheUses: number[] = [];
  for (const load of parsed.loads as Record<string, unknown>[]) {
    queued += Number(load['num_waiting_reqs'] ?? 0);
    inHand += Number(load['num_running_reqs'] ?? 0) + Number(load['num_waiting_reqs'] ?? 0);
    if (typeof load['token_usage'] === 'number') cacheUses.push(load['token_usage']);
  }
  return Number.isFinite(inHand) ? { inHand, queued, cacheUse: fullest(cacheUses) } : undefined;
}
