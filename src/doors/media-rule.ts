import { type Envelope, mediaName, readValue } from '#dialects/envelope';
import { Refusal } from '#vocabulary/refusal';

/**
 * Engines fetch the addresses a caller names, from inside the operator's network. So media may come only as data
 * URLs. Most requests hold no media, and the names of their fields say so; only the others are looked at in full.
 */
export function refuseForeignMedia(envelope: Envelope): void {
  for (const [name, field] of envelope.fields) {
    if (plainTexts.has(name)) continue;
    if (mediaName.test(name)) visit({ [name]: readValue(envelope, name) }, name, 0);
    else if (field.mayHoldMedia) visit(readValue(envelope, name), name, 0);
  }
}

/** Kept or ignored by engines, never followed. */
const plainTexts: ReadonlySet<string> = new Set(['metadata', 'user']);

function visit(value: unknown, param: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > 16) throw new Refusal('invalid_request', `"${param}" is nested too deeply.`, { param });
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes('\\')) throw unreadableName(param);
    if (typeof inner === 'string' && mediaName.test(key) && !isInline(inner)) {
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

/** A data URL, or the bare bytes: everything else may be an address or the path of a file. */
function isInline(text: string): boolean {
  if (text === '' || text.slice(0, 5).toLowerCase() === 'data:') return true;
  return text.length >= leastBareBytes && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

/** Shorter texts of such letters are names of files. */
const leastBareBytes = 256;
