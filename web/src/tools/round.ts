import type { Message, ToolCall } from '#contract/messages';
import type { MessageTree } from '../chat/message-tree.ts';

/** The answer whose call this is the result of. */
export function askingAnswer(tree: MessageTree, result: Message): Message | undefined {
  let above = result.parentId === null ? undefined : tree.byId.get(result.parentId);
  while (above?.role === 'tool') above = above.parentId === null ? undefined : tree.byId.get(above.parentId);
  return above?.role === 'assistant' ? above : undefined;
}

/** The calls of an answer that no server takes: they are shown with it, and wait for results typed by hand. */
export function callsForHands(tree: MessageTree, answer: Message): readonly ToolCall[] {
  if (answer.toolCalls.length === 0) return answer.toolCalls;
  const served = new Set<string | null>();
  let below = resultBelow(tree, answer.id);
  while (below !== undefined) {
    if (below.tool !== null) served.add(below.toolCallId);
    below = resultBelow(tree, below.id);
  }
  return served.size === 0 ? answer.toolCalls : answer.toolCalls.filter(({ id }) => !served.has(id));
}

function resultBelow(tree: MessageTree, id: string): Message | undefined {
  return tree.childrenOf.get(id)?.findLast(({ role }) => role === 'tool');
}
