/** Strings inside a frame, found with a few searches over its bytes: most frames are never parsed. */

const quoteMark = 0x22;
const backslash = 0x5c;
const colonMark = 0x3a;

/**
 * Where the next string behind this key begins, after its opening quote; -1 when there is none. A text of a model
 * cannot look like the key, because its quotes are escaped.
 */
export function startOfString(frame: Buffer, quotedKey: string | Buffer, from = 0): number {
  for (let at = frame.indexOf(quotedKey, from); at >= 0; at = frame.indexOf(quotedKey, at + 1)) {
    const colon = skipBlanks(frame, at + quotedKey.length);
    if (frame[colon] !== colonMark) continue;
    const quote = skipBlanks(frame, colon + 1);
    if (frame[quote] === quoteMark) return quote + 1;
  }
  return -1;
}

/** Where it ends, before its closing quote. */
export function endOfString(frame: Buffer, start: number): number {
  let at = start;
  while (at < frame.length && frame[at] !== quoteMark) at += frame[at] === backslash ? 2 : 1;
  return Math.min(at, frame.length);
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20) at++;
  return at;
}
