import { readValue } from '#dialects/envelope';
import type { ParsedRequest, Route } from '#vocabulary/inference';

/** Whether another engine could go on with this answer if its engine died: there must be somebody else who serves the model. */
export function isContinuable({ request }: Route): boolean {
  return request.model.replicas.length > 1 && canBeContinued(request);
}

/**
 * Whether somebody could go on with such an answer: one stream of plain words, whose beginning can be told to an engine.
 * Not where every token brings numbers of its own.
 */
export function canBeContinued(request: ParsedRequest): boolean {
  if (!request.wantsStream || request.sequences !== 1) return false;
  const { fields } = request.envelope;
  if (perToken.some((name) => asksFor(name))) return false;
  if (request.endpoint === 'completions') return fields.get('prompt')?.kind === 'string';
  if (request.endpoint !== 'chat/completions' || fields.get('messages')?.kind !== 'array') return false;
  // Whoever wants no beginning of an answer wants something that we do not know.
  return asksFor('continue_final_message') || !isFalse('add_generation_prompt');

  function asksFor(name: string): boolean {
    const field = fields.get(name);
    return field !== undefined && field.kind !== 'null' && !isFalse(name);
  }

  function isFalse(name: string): boolean {
    return fields.get(name)?.kind === 'boolean' && readValue(request.envelope, name) === false;
  }
}

const perToken = [
  'logprobs',
  'top_logprobs',
  'prompt_logprobs',
  'echo',
  'suffix',
  'best_of',
  'use_beam_search',
  'return_token_ids',
  'return_tokens_as_token_ids',
];
