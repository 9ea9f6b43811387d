import type { ModelDefinition, ReasoningEffort } from '#vocabulary/catalogue';
import type { Parameters } from '#contract/messages';
import type { ChatMessage } from '#vocabulary/conversation';
import type { SpaceOfAnswer } from '#vocabulary/spaces';

export interface AskedFor {
  readonly model: ModelDefinition;
  readonly effort: ReasoningEffort | null;
  readonly systemPrompt: string;
  readonly parameters: Parameters;
  /** Where it is asked; its instructions stand in the prompt already. */
  readonly space?: SpaceOfAnswer | undefined;
}

/** A branch of a chat as an OpenAI request. What the model does not know is left out. */
export function buildChatRequest(
  { model, effort, systemPrompt, parameters }: AskedFor,
  branch: readonly BranchMessage[],
): Readonly<Record<string, unknown>> & { readonly model: string } {
  const messages: object[] = systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt }];
  for (const [index, message] of branch.entries()) {
    const written = writeMessage(message);
    if (written !== undefined) messages.push(written);
    messages.push(...missingResults(message, branch.slice(index + 1)));
  }
  return {
    model: model.id,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(model.reasoning !== 'none' && { separate_reasoning: true }),
    ...(model.supportsReasoningEffort && { reasoning_effort: effort ?? model.defaultReasoningEffort }),
    ...(parameters.temperature !== undefined && { temperature: parameters.temperature }),
    ...(parameters.topP !== undefined && { top_p: parameters.topP }),
    ...(parameters.maxTokens !== undefined && { max_tokens: parameters.maxTokens }),
    ...(parameters.seed !== undefined && { seed: parameters.seed }),
    ...(parameters.presencePenalty !== undefined && { presence_penalty: parameters.presencePenalty }),
    ...(parameters.frequencyPenalty !== undefined && { frequency_penalty: parameters.frequencyPenalty }),
    ...(parameters.stop !== undefined && parameters.stop.length > 0 && { stop: parameters.stop }),
    ...(model.supportsTools &&
      parameters.tools !== undefined &&
      parameters.tools.length > 0 && { tools: parameters.tools }),
  };
}

export interface BranchMessage extends Pick<ChatMessage, 'role' | 'content' | 'toolCalls' | 'toolCallId'> {
  /** As `data:` addresses, for models that see. */
  readonly pictures: readonly string[];
}

const noResult = 'No result was given.';

/** Engines refuse a call without a result; somebody who writes on instead of giving one has given none. */
function missingResults({ toolCalls }: BranchMessage, after: readonly BranchMessage[]): object[] {
  if (toolCalls.length === 0) return [];
  const end = after.findIndex(({ role }) => role !== 'tool');
  const given = new Set(after.slice(0, end === -1 ? undefined : end).map(({ toolCallId }) => toolCallId));
  return toolCalls
    .filter(({ id }) => !given.has(id))
    .map(({ id }) => ({ role: 'tool', tool_call_id: id, content: noResult }));
}

function writeMessage(message: BranchMessage): object | undefined {
  const { role, content, toolCalls } = message;
  if (role === 'user') {
    if (message.pictures.length === 0) return { role, content };
    const pictures = message.pictures.map((url) => ({ type: 'image_url', image_url: { url } }));
    return { role, content: [...pictures, { type: 'text', text: content }] };
  }
  if (role === 'tool')
    return { role, tool_call_id: message.toolCallId ?? '', content: content === '' ? noResult : content };
  // An answer that failed before its first word says nothing to the model either.
  if (content === '' && toolCalls.length === 0) return undefined;
  const calls = toolCalls.map(({ id, name, argumentsText }) => ({
    id,
    type: 'function',
    function: { name, arguments: argumentsText },
  }));
  return { role, content, ...(calls.length > 0 && { tool_calls: calls }) };
}
