import type { Tokenizer } from '../native/tokenizer.ts';
import { refuseIfHopeless, stopWhenHopeless } from '../wire/context-limit.ts';
import type { ChatTemplate, RenderedPrompt } from './chat-template.ts';
import type { ChatPromptRequest } from './read-chat-request.ts';

/** From messages to the tokens of the prompt. What can never fit into the context is refused before any work. */
export async function renderChat(
  request: ChatPromptRequest,
  { template, tokenizer }: { readonly template: ChatTemplate; readonly tokenizer: Tokenizer },
  contextTokens: number,
): Promise<RenderedPrompt> {
  const tools = request.tools?.declared.map(({ declaration }) => declaration);
  const texts = [...request.messages.map(({ content }) => content.trim()), ...(tools ?? []).map(spellOut)];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  refuseIfHopeless(
    request.messages.length * template.leastMessageTokens + Math.ceil(bytes / tokenizer.longestTokenBytes),
    contextTokens,
    'messages',
  );
  return template.render(
    {
      messages: request.messages,
      tools,
      kwargs: request.templateKwargs,
      continuesFinalMessage: request.continuesFinalMessage,
      addsGenerationPrompt: request.addsGenerationPrompt,
    },
    stopWhenHopeless(contextTokens, 'messages'),
  );
}

function spellOut(declaration: object): string {
  return JSON.stringify(declaration);
}
