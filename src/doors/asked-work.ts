import { type Envelope, readValue } from '#dialects/envelope';
import type { InferenceEndpoint } from '#vocabulary/inference';

/** How many answers the engine writes at once for this request. The parameters have been checked. */
export function countSequences(envelope: Envelope, endpoint: InferenceEndpoint): number {
  if (endpoint !== 'chat/completions' && endpoint !== 'completions') return 1;
  const perPrompt = Math.max(numberAt(envelope, 'n') ?? 1, numberAt(envelope, 'best_of') ?? 1, 1);
  return perPrompt * (endpoint === 'completions' ? countPrompts(envelope) : 1);
}

/**
 * The most that the answer may grow to, where the caller names a bound that every engine heeds. Of several bounds
 * engines heed one or another, so that the largest counts; some read 0 as none.
 */
export function maxOutputTokens(envelope: Envelope, endpoint: InferenceEndpoint): number | undefined {
  const heeded = heededBounds[endpoint];
  if (heeded === undefined) return 0;
  if (!heeded.some((name) => (numberAt(envelope, name) ?? 0) > 0)) return undefined;
  return Math.max(...[...heeded, ...ownBounds].map((name) => numberAt(envelope, name) ?? 0));
}

/** The other endpoints write nothing. */
const heededBounds: Partial<Record<InferenceEndpoint, readonly string[]>> = {
  'chat/completions': ['max_completion_tokens', 'max_tokens'],
  completions: ['max_tokens'],
  messages: ['max_tokens'],
  responses: ['max_output_tokens'],
};

/** Of some engines. */
const ownBounds = ['max_new_tokens', 'n_predict'];

/** A list of texts or of token lists is several prompts; a list of tokens is one. */
function countPrompts(envelope: Envelope): number {
  if (envelope.fields.get('prompt')?.kind !== 'array') return 1;
  const prompt = readValue(envelope, 'prompt');
  return Array.isArray(prompt) && typeof prompt[0] !== 'number' ? Math.max(1, prompt.length) : 1;
}

function numberAt(envelope: Envelope, name: string): number | undefined {
  const field = envelope.fields.get(name);
  if (field?.kind !== 'number') return undefined;
  return Number(envelope.body.toString('latin1', field.valueStart, field.valueEnd));
}
