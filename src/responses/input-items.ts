import { isObject, type JsonObject } from '#dialects/json-object';

/** The items of a question as they are kept and listed: each has an id, and a text is a message. */
export function asItems(input: unknown, responseId: string): readonly JsonObject[] {
  const items: readonly unknown[] = Array.isArray(input) ? input : [userMessage(input)];
  return items.filter(isObject).map((item, index) => ({
    id: `${responseId.replace(/^resp/, 'in')}_${index}`,
    type: 'message',
    ...item,
  }));
}

function userMessage(text: unknown): JsonObject {
  return { role: 'user', status: 'completed', content: [{ type: 'input_text', text }] };
}
