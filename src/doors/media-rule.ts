import { type Envelope, mediaName, readValue } from '#dialects/envelope';
import { Refusal } from '#vocabulary/refusal';

/**
 * Engines fetch the addresses a caller names, from inside the operator's network. So media may come only as data
 * URLs. Most requests hold no media, and the names of their fields say so; only the others are looked at in full.
 */
export function refuseForeignMedia(envelope: Envelope): void {
  for (const name of CARRIERS) {
    const field = envelope.fields.get(name);
    if (field?.mayHoldMedia === true) visit(readValue(envelope, name), name, 0);
  }
}

const CARRIERS = ['messages', 'input', 'prompt', 'documents', 'query', 'text_1', 'text_2'];

function visit(value: unknown, param: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > 16) throw new Refusal('invalid_request', `"${param}" is nested too deeply.`, { param });
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes('\\')) throw unreadableName(param);
    if (typeof inner === 'string' && mediaName.test(key) && looksLikeAddress(inner)) {
      throw new Refusal(
        'invalid_parameter',
        `Send media inside the request as data: URLs. This service never fetches an address a caller names ("${key}").`,
        { param },
      );
    }
    visit(inner, param, depth + 1);
  }
}

/**
 * V8 can take an escaped field name for another one it has seen before, which then begins like the escape itself
 * (nodejs/node#63785). The engine would read the true name, so such names cannot be judged here.
 */
function unreadableName(param: string): Refusal {
  return new Refusal(
    'invalid_parameter',
    `A field name inside "${param}" holds a backslash or an escape. Write field names plainly.`,
    { param },
  );
}

/** Anything with a scheme other than `data:`, in any spelling an engine's parser might forgive. */
function looksLikeAddress(text: string): boolean {
  const start = text.trimStart().slice(0, 64).toLowerCase();
  return !start.startsWith('data:') && /^[\p{Cc}\s]*(?:[a-z][a-z0-9+.-]*:|\/\/|\/|\\)/u.test(start);
}
