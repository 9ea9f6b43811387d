import type { SignedReceipt } from '#contract/receipts';
import type { Message, Parameters } from '#contract/messages';
import type { ToolServer } from '#contract/tools';

type Tools = NonNullable<Parameters['tools']>;

/** What was asked, as far as this page knows it: instructions of the project and one's own, then the branch above. */
export function askedMessages(
  path: readonly Message[],
  answer: Message,
  instructions: readonly string[],
): readonly object[] {
  const end = path.findIndex(({ id }) => id === answer.id);
  const above = path.slice(0, end < 0 ? path.length : end);
  const written = instructions.filter((text) => text.trim() !== '').join('\n\n');
  return [
    ...(written === '' ? [] : [{ role: 'system', content: written }]),
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
  asked: readonly object[],
  given: { readonly sha256: string },
): Promise<boolean | undefined> {
  if (!globalThis.isSecureContext) return undefined;
  const bytes = new TextEncoder().encode(JSON.stringify(asked));
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  const text = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return text === given.sha256;
}

/**
 * A long list of tools stands in a receipt as its digest: then it is one's own tools with those of the servers that
 * are switched on, or one's own alone, whichever was sent.
 */
export async function toolsOf(
  { receipt }: SignedReceipt,
  { tools: own = [], toolServers = [] }: Parameters,
  servers: readonly ToolServer[],
): Promise<Tools | undefined> {
  const given = receipt.parameters['tools'];
  if (!isDigest(given)) return undefined;
  const names = new Set(own.map((tool) => tool.function.name));
  const offered = servers
    .filter(({ name }) => toolServers.includes(name))
    .flatMap(({ tools }) => (tools ?? []).flatMap(({ told }) => told ?? []))
    .filter((tool) => !names.has(tool.function.name));
  const isOwnAlone = (await isWhatWasAsked(own, given)) === true;
  return isOwnAlone ? own : [...own, ...offered];
}

/** Without those that say how an answer is sent, not what it is. */
export function tellingParameters({ receipt }: SignedReceipt): Readonly<Record<string, unknown>> {
  const { stream: _stream, separate_reasoning: _separate, ...parameters } = receipt.parameters;
  return parameters;
}

/** The request that gives this answer again: the parameters of the receipt, with its seed. */
export function requestOf(
  messages: readonly object[],
  signed: SignedReceipt,
  tools: Tools | undefined,
): Record<string, unknown> {
  const { receipt } = signed;
  const whole = Object.entries(tellingParameters(signed)).filter(([, value]) => !isDigest(value));
  return {
    model: receipt.model,
    messages,
    ...Object.fromEntries(whole),
    ...(tools !== undefined && tools.length > 0 && { tools }),
    ...(receipt.seed !== null && { seed: receipt.seed.value }),
  };
}

function isDigest(value: unknown): value is { readonly sha256: string } {
  return typeof value === 'object' && value !== null && 'sha256' in value && 'bytes' in value;
}
