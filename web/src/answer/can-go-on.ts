import type { Message } from '#contract/messages';

/** An answer that ended before it was complete, and that an engine can write on. */
export function canGoOn({ role, content, toolCalls, state, finishReason }: Message): boolean {
  if (role !== 'assistant' || content.trim() === '' || toolCalls.length > 0) return false;
  return state === 'complete' ? finishReason === 'length' : state !== 'running';
}
