import type { Envelope } from '#dialects/envelope';
import type { Catalogue, ModelDefinition } from '#vocabulary/catalogue';

/** Fields of OpenAI's chat completions that pass and that no engine we know of heeds. */
const unheeded = [
  'audio',
  'function_call',
  'functions',
  'metadata',
  'modalities',
  'prediction',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'store',
  'verbosity',
  'web_search_options',
];

/** What the caller asked for and nobody will do. Of engines of other makes nobody knows what they heed. */
export function ignoredFields(
  { fields, body }: Envelope,
  { replicas }: ModelDefinition,
  { engines }: Catalogue,
): readonly string[] {
  const isKnown = replicas.every(({ engineName }) =>
    engines.some(({ name, kind }) => name === engineName && kind !== 'openai'),
  );
  if (!isKnown) return [];
  return unheeded.filter((name) => {
    const field = fields.get(name);
    if (field === undefined || field.kind === 'null') return false;
    return field.kind !== 'boolean' || body[field.valueStart] === letterT;
  });
}

const letterT = 0x74;
