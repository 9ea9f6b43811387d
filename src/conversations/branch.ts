import type { ChatMessage } from '#vocabulary/conversation';

type Placed = Pick<ChatMessage, 'id' | 'parentId'>;

/** Walks through the tree of messages. Parents come before children in every list. */

/** From the first message to `leafId`. Empty when there is no such message. */
export function branchTo<Message extends Placed>(
  messages: readonly Message[],
  leafId: string | null,
): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const branch: Message[] = [];
  let message = leafId === null ? undefined : byId.get(leafId);
  while (message !== undefined && branch.length < messages.length) {
    branch.push(message);
    message = message.parentId === null ? undefined : byId.get(message.parentId);
  }
  return branch.toReversed();
}

/** The message and everything below it. */
export function subtreeOf(messages: readonly Placed[], rootId: string): ReadonlySet<string> {
  const inside = new Set([rootId]);
  for (const message of messages) {
    if (message.parentId !== null && inside.has(message.parentId)) inside.add(message.id);
  }
  return inside;
}

/** Down from `fromId`, always to the newest child. With null, from the top. */
export function newestLeafBelow(messages: readonly Placed[], fromId: string | null): string | null {
  const newestChild = new Map<string | null, string>();
  for (const message of messages) newestChild.set(message.parentId, message.id);
  let leafId = fromId;
  for (let steps = 0; steps <= messages.length; steps++) {
    const child = newestChild.get(leafId);
    if (child === undefined) break;
    leafId = child;
  }
  return leafId;
}
