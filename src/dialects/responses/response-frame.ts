import type { JsonObject } from '#dialects/json-object';
import type { AnswerFacts } from '#dialects/translation';

/** A response before anything is in it: what was asked, as OpenAI's service repeats it in every answer. */
export function responseFrame(body: JsonObject, modelId: string, facts: AnswerFacts): JsonObject {
  return {
    id: responseId(facts.requestId),
    object: 'response',
    created_at: Math.floor(facts.receivedAt / 1000),
    status: 'in_progress',
    background: body.background ?? false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: body.metadata ?? {},
    model: modelId,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: body.reasoning ?? { effort: null, summary: null },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: body.service_tier ?? 'default',
    store: body.store ?? false,
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    usage: null,
    user: body.user ?? null,
  };
}

/** Made of the id of the request, so that logs, books and answers meet. */
export function responseId(requestId: string): string {
  return `resp_${requestId.replaceAll('-', '')}`;
}
