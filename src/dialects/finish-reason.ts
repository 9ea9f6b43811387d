/**
 * Engines end answers for reasons that OpenAI's clients do not know. `repetition` is an end like any other; `abort`
 * is none: somebody stopped the engine. Searches raw bytes, where no text of a model can look like this.
 */
export function hasFinishReason(bytes: Buffer): boolean {
  return bytes.includes('"finish_reason":"') || bytes.includes('"finish_reason": "');
}

export function wasAborted(bytes: Buffer): boolean {
  return bytes.includes('"finish_reason":"abort"') || bytes.includes('"finish_reason": "abort"');
}

export function withPublicFinishReason(bytes: Buffer): Buffer {
  if (!bytes.includes('"repetition"')) return bytes;
  const text = bytes.toString('latin1').replaceAll(/("finish_reason": ?)"repetition"/g, '$1"stop"');
  return Buffer.from(text, 'latin1');
}
