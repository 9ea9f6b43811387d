import { isObject, type JsonObject } from '#dialects/json-object';

/** Fewer than most texts have in most tokenizers: rather a turn too few than a prompt too long. */
const bytesPerToken = 3;
const bytesPerImage = 4096;

/**
 * What of a conversation fits a context, by a careful estimate: system texts at the beginning stay, then the oldest
 * turns are left out, each with the calls and outputs that belong to it. The last turn stays in any case.
 */
export function fitMessages(
  messages: readonly JsonObject[],
  contextTokens: number,
  answerTokens: number,
  otherBytes: number,
): readonly JsonObject[] {
  const firstSpoken = messages.findIndex(({ role }) => role !== 'system');
  const start = messages.slice(0, Math.max(0, firstSpoken));
  const turns = turnsOf(messages.slice(start.length));
  let room = (contextTokens - answerTokens) * bytesPerToken - otherBytes - sizeOf(start);
  let from = turns.length;
  while (from > 0) {
    room -= sizeOf(turns[from - 1] ?? []);
    if (room < 0 && from < turns.length) break;
    from--;
  }
  return [...start, ...turns.slice(from).flat()];
}

function turnsOf(messages: readonly JsonObject[]): JsonObject[][] {
  const turns: JsonObject[][] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    if (turn === undefined || message.role === 'user') turns.push([message]);
    else turn.push(message);
  }
  return turns;
}

function sizeOf(messages: readonly JsonObject[]): number {
  return messages.reduce((sum, message) => sum + contentSize(message.content) + callSize(message), 0);
}

function contentSize(content: unknown): number {
  if (typeof content === 'string') return Buffer.byteLength(content);
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts.reduce<number>((sum, part) => {
    const text = isObject(part) ? part.text : undefined;
    return sum + (typeof text === 'string' ? Buffer.byteLength(text) : bytesPerImage);
  }, 0);
}

/** And a little for the template. */
function callSize({ tool_calls: calls }: JsonObject): number {
  return 24 + (calls === undefined ? 0 : Buffer.byteLength(JSON.stringify(calls)));
}
