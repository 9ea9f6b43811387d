import type { Message } from './messages.ts';

/** A complete message with nothing special about it. */
export const plainMessage: Omit<Message, 'id' | 'parentId' | 'role' | 'content' | 'createdAt'> = {
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
};
