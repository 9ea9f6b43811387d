/**
 * Engines end answers for reasons that OpenAI's clients do not know. `repetition` is an end like any other; `abort`
 * is none: somebody stopped the engine. Searches raw bytes, where no text of a model can look like this.
 */
export function hasFinishReason(bytes: Buffer): boolean {
  return findReason(bytes, (quote) => bytes[quote] === quoteMark);
}

export function wasAborted(bytes: Buffer): boolean {
  return findReason(
    bytes,
    (quote) =>
      bytes[quote] === quoteMark &&
      bytes[quote + 1] === abort[1] &&
      abort.compare(bytes, quote, quote + abort.length) === 0,
  );
}

/** Every frame says something of it, most of them `null`: one search, and a look at what stands behind it. */
function findReason(bytes: Buffer, isWanted: (value: number) => boolean): boolean {
  for (let at = bytes.indexOf(finishReason); at >= 0; at = bytes.indexOf(finishReason, at + 1)) {
    const value = at + finishReason.length;
    if (isWanted(bytes[value] === blank ? value + 1 : value)) return true;
  }
  return false;
}

const finishReason = Buffer.from('"finish_reason":');
const abort = Buffer.from('"abort"');
const repetition = Buffer.from('"repetition"');
const quoteMark = 0x22;
const blank = 0x20;

export function withPublicFinishReason(bytes: Buffer): Buffer {
  if (!bytes.includes(repetition)) return bytes;
  const text = bytes.toString('latin1').replaceAll(/("finish_reason": ?)"repetition"/g, '$1"stop"');
  return Buffer.from(text, 'latin1');
}
