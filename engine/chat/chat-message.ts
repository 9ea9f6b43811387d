import type { ChatDelta } from './chat-assembler.ts';
import { withoutThought } from './read-messages.ts';
import type { TemplateMessage } from './read-messages.ts';

/** Collects the deltas of one choice into the message of an answer that is not streamed. */
export interface ChatMessageBuilder {
  add(delta: ChatDelta): void;
  message(): unknown;
  /** As the next turn will send it back. */
  asHistory(): TemplateMessage;
}

export function createChatMessageBuilder(): ChatMessageBuilder {
  let content = '';
  let reasoning = '';
  const calls: { id: string; name: string; arguments: string }[] = [];
  return {
    add: (delta) => {
      content += delta.content ?? '';
      reasoning += delta.reasoning ?? '';
      const { toolCall } = delta;
      if (toolCall?.opening !== undefined) calls.push({ ...toolCall.opening, arguments: '' });
      const call = toolCall === undefined ? undefined : calls[toolCall.index];
      if (call !== undefined) call.arguments += toolCall?.arguments ?? '';
    },
    asHistory: () => ({
      role: 'assistant',
      content: withoutThought(content),
      ...(calls.length > 0 && {
        tool_calls: calls.map((call) => ({
          id: call.id,
          type: 'function',
          function: { name: call.name, arguments: JSON.parse(call.arguments) as unknown },
        })),
      }),
    }),
    message: () => ({
      role: 'assistant',
      content: content === '' && calls.length > 0 ? null : content,
      refusal: null,
      ...(reasoning !== '' && { reasoning, reasoning_content: reasoning }),
      ...(calls.length > 0 && {
        tool_calls: calls.map((call) => ({
          id: call.id,
          type: 'function',
          function: { name: call.name, arguments: call.arguments },
        })),
      }),
    }),
  };
}
