import type { ChatTemplate } from './chat-template.ts';
import type { ChatPromptRequest } from './read-chat-request.ts';
import type { TemplateMessage } from './read-messages.ts';

/** The conversation as the next turn will show it, up to the words that are still to come. */
export function nextTurnTokens(
  request: ChatPromptRequest,
  answer: TemplateMessage,
  template: ChatTemplate,
): Promise<readonly number[]> {
  const [call] = answer.tool_calls ?? [];
  const next: TemplateMessage =
    call === undefined
      ? { role: 'user', content: '' }
      : { role: 'tool', content: '', tool_call_id: call.id, name: call.function.name };
  const before = request.continuesFinalMessage ? request.messages.slice(0, -1) : request.messages;
  return template.tokensBeforeLastMessage({
    messages: [...before, continued(request, answer), next],
    tools: request.tools?.declared.map(({ declaration }) => declaration),
    kwargs: request.templateKwargs,
    continuesFinalMessage: false,
    addsGenerationPrompt: true,
  });
}

function continued(request: ChatPromptRequest, answer: TemplateMessage): TemplateMessage {
  const begun = request.continuesFinalMessage ? (request.messages.at(-1)?.content ?? '') : '';
  return { ...answer, content: begun + answer.content };
}
