import type { Envelope, EnvelopeField } from '#dialects/envelope';
import type { Catalogue, EngineKind, ModelDefinition } from '#vocabulary/catalogue';
import { embeddedChatFields } from '#vocabulary/embedded-fields';

/** Fields of OpenAI's chat completions that pass and that no engine we know of heeds. */
const unheeded: ReadonlySet<string> = new Set([
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
]);

/** Those that the gateway itself heeds, or that only name somebody. */
const heededHere: ReadonlySet<string> = new Set(['model', 'service_tier', 'user']);

/** So many are told of, the first in the order of the alphabet. */
const mostTold = 16;

/** What the caller asked for and nobody will do. Of engines of other makes nobody knows what they heed. */
export function ignoredFields(
  { fields, body }: Envelope,
  { replicas }: ModelDefinition,
  { engines }: Catalogue,
): readonly string[] {
  const kinds = replicas.map(({ engineName }) => engines.find(({ name }) => name === engineName)?.kind);
  const isIgnored = ruleFor(kinds);
  if (isIgnored === undefined) return [];
  const found: string[] = [];
  for (const [name, field] of fields) if (isIgnored(name) && asksForSomething(field, body)) found.push(name);
  return found.toSorted().slice(0, mostTold);
}

function ruleFor(kinds: readonly (EngineKind | undefined)[]): ((name: string) => boolean) | undefined {
  if (kinds.every((kind) => kind === 'embedded'))
    return (name) => !embeddedChatFields.has(name) && !heededHere.has(name) && tellable.test(name);
  return kinds.includes('openai') || kinds.includes(undefined) ? undefined : (name) => unheeded.has(name);
}

/** What can stand in a header. */
const tellable = /^[\w.-]{1,64}$/;

function asksForSomething({ kind, valueStart }: EnvelopeField, body: Buffer): boolean {
  return kind !== 'null' && (kind !== 'boolean' || body[valueStart] === letterT);
}

const letterT = 0x74;
