import type { ChatMessage } from '#vocabulary/conversation';
import { cutText } from '#vocabulary/cut-text';
import { mintId } from '#vocabulary/ids';

/** A complete message with nothing special about it. */
export function newMessage(
  fields: Pick<ChatMessage, 'parentId' | 'role' | 'content' | 'createdAt'> & Partial<ChatMessage>,
): ChatMessage {
  return {
    id: mintId('message'),
    reasoning: '',
    toolCalls: [],
    toolCallId: null,
    tool: null,
    model: null,
    effort: null,
    finishReason: null,
    usage: null,
    timings: null,
    state: 'complete',
    error: null,
    generationId: null,
    documents: [],
    requestIds: [],
    feedback: null,
    context: null,
    summary: null,
    ...fields,
  };
}

/** The first words of a text, for a chat whose title nobody has thought of yet. */
export function firstWords(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= 60) return line === '' ? 'New chat' : line;
  const cut = cutText(line, 60);
  const space = cut.lastIndexOf(' ');
  return `${space > 30 ? cut.slice(0, space) : cut}…`;
}
