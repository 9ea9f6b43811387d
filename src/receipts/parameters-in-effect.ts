import { hash } from 'node:crypto';
import { type Envelope, readValue } from '#dialects/envelope';

/** What is told in full; a schema or a list of tools that is longer stands there as its digest. */
const mostBytesEach = 512;
const mostBytes = 4096;
const mostNameBytes = 64;

/** The question itself, what has a place of its own in a receipt, and what is about people and not about the answer. */
const leftOut: ReadonlySet<string> = new Set([
  'messages',
  'prompt',
  'input',
  'model',
  'stream_options',
  'user',
  'metadata',
  'safety_identifier',
  'prompt_cache_key',
  'store',
  'service_tier',
]);

/** Every parameter that went along with a question; `more` counts those for which there was no room. */
export function parametersInEffect(envelope: Envelope): Readonly<Record<string, unknown>> {
  const parameters: Record<string, unknown> = {};
  let room = mostBytes;
  let more = 0;
  for (const [name, { kind, valueStart, valueEnd, keyStart }] of envelope.fields) {
    if (leftOut.has(name) || kind === 'null') continue;
    const valueBytes = valueEnd - valueStart;
    const isWhole = valueBytes <= mostBytesEach;
    room -= (isWhole ? valueBytes : 100) + valueStart - keyStart;
    if (room < 0 || Buffer.byteLength(name) > mostNameBytes) more++;
    else if (isWhole) parameters[name] = valueOf(envelope, name);
    else
      parameters[name] = {
        sha256: hash('sha256', envelope.body.subarray(valueStart, valueEnd)),
        bytes: valueBytes,
      };
  }
  return more === 0 ? parameters : { ...parameters, more };
}

/** The inside of lists and objects was not checked; an engine that took it knows what it meant. */
function valueOf(envelope: Envelope, name: string): unknown {
  try {
    return readValue(envelope, name);
  } catch {
    return null;
  }
}
