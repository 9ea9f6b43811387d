import { type Envelope, readValue } from '#dialects/envelope';
import type { InferenceEndpoint } from '#vocabulary/inference';

/** How many answers the engine writes at once for this request. The parameters have been checked. */
export function countSequences(envelope: Envelope, endpoint: InferenceEndpoint): number {
  if (endpoint !== 'chat/completions' && endpoint !== 'completions') return 1;
  const perPrompt = Math.max(numberAt(envelope, 'n') ?? 1, numberAt(envelope, 'best_of') ?? 1, 1);
  return perPrompt * (endpoint === 'completions' ? countPrompts(envelope) : 1);
}

export function maxOutputTokens(envelope: Envelope): number | undefined {
  return (
    numberAt(envelope, 'max_completion_tokens') ??
    numberAt(envelope, 'max_tokens') ??
    numberAt(envelope, 'max_output_tokens')
  );
}

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
