import type { SignedReceipt } from '#contract/receipts';
import type { Message } from '#contract/messages';

/** What was asked, as far as this page knows it: instructions, then the branch above the answer. */
export function askedMessages(
  path: readonly Message[],
  answer: Message,
  systemPrompt: string,
): readonly object[] {
  const end = path.findIndex(({ id }) => id === answer.id);
  const above = path.slice(0, end < 0 ? path.length : end);
  return [
    ...(systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt }]),
    ...above.flatMap(({ role, content, toolCalls, toolCallId }): object[] => {
      if (role === 'tool') return [{ role, tool_call_id: toolCallId ?? '', content }];
      if (role === 'user') return [{ role, content }];
      if (content === '' && toolCalls.length === 0) return [];
      const calls = toolCalls.map(({ id, name, argumentsText }) => ({
        id,
        type: 'function',
        function: { name, arguments: argumentsText },
      }));
      return [{ role, content, ...(calls.length > 0 && { tool_calls: calls }) }];
    }),
  ];
}

/** The same bytes as the service was given: then the digests agree. Undefined where the browser cannot count it. */
export async function isWhatWasAsked(
  messages: readonly object[],
  { receipt }: SignedReceipt,
): Promise<boolean | undefined> {
  if (!isSecureContext) return undefined;
  const bytes = new TextEncoder().encode(JSON.stringify(messages));
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  const text = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return text === receipt.prompt.sha256;
}

/** Without those that say how an answer is sent, not what it is. */
export function tellingParameters({ receipt }: SignedReceipt): Readonly<Record<string, unknown>> {
  const { stream: _stream, separate_reasoning: _separate, ...parameters } = receipt.parameters;
  return parameters;
}

/** The request that gives this answer again: the parameters of the receipt, with its seed. */
export function requestOf(messages: readonly object[], signed: SignedReceipt): Record<string, unknown> {
  const { receipt } = signed;
  const whole = Object.entries(tellingParameters(signed)).filter(([, value]) => !isDigest(value));
  return {
    model: receipt.model,
    messages,
    ...Object.fromEntries(whole),
    ...(receipt.seed !== null && { seed: receipt.seed.value }),
  };
}

function isDigest(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'sha256' in value && 'bytes' in value;
}
