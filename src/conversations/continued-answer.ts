import type { Catalogue, ModelDefinition } from '#vocabulary/catalogue';
import type { ChatMessage } from '#vocabulary/conversation';
import { Refusal } from '#vocabulary/refusal';
import type { buildChatRequest } from './chat-request.ts';

type ChatRequest = ReturnType<typeof buildChatRequest>;

/** So many requests of one message are remembered; of more, the last. */
const maxParts = 50;

/** Throws unless the answer was cut and the engines of its model can go on with it. */
export function refuseUncut(
  answer: ChatMessage,
  { id, replicas }: ModelDefinition,
  { engines }: Catalogue,
): void {
  if (!isCut(answer)) throw new Refusal('conflict', 'This answer is complete: there is nothing to continue.');
  // Nobody knows what an engine of another make does with an answer that has begun.
  const isForeign = replicas.some(({ engineName }) =>
    engines.some(({ name, kind }) => name === engineName && kind === 'openai'),
  );
  if (isForeign)
    throw new Refusal(
      'not_supported_by_engine',
      `The engine of \`${id}\` cannot go on with an answer. Have it answer again instead.`,
    );
}

function isCut({ role, content, toolCalls, state, finishReason }: ChatMessage): boolean {
  if (role !== 'assistant' || content.trim() === '' || toolCalls.length > 0) return false;
  return state === 'complete' ? finishReason === 'length' : state !== 'running';
}

/** The message, to be written on by the generation that was prepared for it. */
export function opened(cut: ChatMessage, { generationId, requestIds }: ChatMessage): ChatMessage {
  return {
    ...cut,
    // Templates take blanks at the end away, and the engine would write them again.
    content: cut.content.trimEnd(),
    finishReason: null,
    error: null,
    state: 'running',
    generationId,
    requestIds: [...cut.requestIds, ...requestIds].slice(-maxParts),
  };
}

/** The question with what is there of its answer. */
export function withBeginning(request: ChatRequest, { content, reasoning }: ChatMessage): ChatRequest {
  const thoughts = reasoning.trim();
  const begun = {
    role: 'assistant',
    // Engines differ in the name under which they read them.
    ...(thoughts !== '' && { reasoning: thoughts, reasoning_content: thoughts }),
    content,
  };
  return {
    ...request,
    messages: [...(request['messages'] as readonly object[]), begun],
    continue_final_message: true,
    add_generation_prompt: false,
  };
}
