import { isObject, type JsonObject } from '#dialects/json-object';

/**
 * `max_tokens` must be given in this dialect, so its clients give the most they know of, often more than the context
 * of the model has room for. There it is a ceiling; engines refuse it. So it is lowered to what surely fits, by a
 * guess at the prompt that is rather too high.
 */
export function fittingOutput(
  maxTokens: number,
  chat: JsonObject,
  contextTokens: number | undefined,
): number {
  if (contextTokens === undefined) return maxTokens;
  const prompt = Math.ceil(textLength(chat) / leastLettersOfToken);
  const room = contextTokens - prompt;
  // A prompt that nearly fills the context by this guess is left to the engine, which counts exactly.
  return Math.min(maxTokens, Math.max(room, Math.floor(contextTokens / 8)));
}

const leastLettersOfToken = 2.5;
const usualLettersOfToken = 4;

/** For people who want to know about how much they have sent, neither too high nor too low. */
export function guessTokens(prompt: JsonObject): number {
  return Math.ceil(textLength(prompt) / usualLettersOfToken);
}

/** Pictures cost tokens by their size in pixels, not in letters. */
function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + textLength(entry), 0);
  if (!isObject(value)) return 8;
  if (value['type'] === 'image_url') return 0;
  return Object.entries(value).reduce((sum, [name, entry]) => sum + name.length + 6 + textLength(entry), 0);
}
