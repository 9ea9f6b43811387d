import type { Message } from '#contract/messages';

/** A chat is a tree: an edit or a new answer is a sibling of what it replaces. Pure functions over its messages. */
export interface MessageTree {
  readonly byId: ReadonlyMap<string, Message>;
  /** Oldest first; the key of the top is null. */
  readonly childrenOf: ReadonlyMap<string | null, readonly Message[]>;
}

export function buildTree(messages: readonly Message[]): MessageTree {
  const byId = new Map<string, Message>();
  const childrenOf = new Map<string | null, Message[]>();
  for (const message of messages) {
    byId.set(message.id, message);
    const siblings = childrenOf.get(message.parentId);
    if (siblings === undefined) childrenOf.set(message.parentId, [message]);
    else siblings.push(message);
  }
  return { byId, childrenOf };
}

/** From the top to the leaf; the newest branch when the leaf is unknown. */
export function pathTo(tree: MessageTree, leafId: string | null): Message[] {
  const known = leafId !== null && tree.byId.has(leafId) ? leafId : newestLeaf(tree, null);
  const path: Message[] = [];
  let current = known === null ? undefined : tree.byId.get(known);
  while (current !== undefined) {
    path.push(current);
    current = current.parentId === null ? undefined : tree.byId.get(current.parentId);
  }
  return path.toReversed();
}

export function newestLeaf(tree: MessageTree, fromId: string | null): string | null {
  let current = fromId;
  for (;;) {
    const next = tree.childrenOf.get(current)?.at(-1);
    if (next === undefined) return current;
    current = next.id;
  }
}

export interface Branches {
  /** Counted from one, as people do. */
  readonly position: number;
  readonly count: number;
  readonly previousId: string | undefined;
  readonly nextId: string | undefined;
}

export function branchesAt(tree: MessageTree, message: Message): Branches {
  const siblings = tree.childrenOf.get(message.parentId) ?? [message];
  const index = siblings.findIndex((sibling) => sibling.id === message.id);
  return {
    position: index + 1,
    count: siblings.length,
    previousId: siblings[index - 1]?.id,
    nextId: siblings[index + 1]?.id,
  };
}

/** Replaces messages of the same id and adds the others behind, parents before children. */
export function withMessages(messages: readonly Message[], changed: readonly Message[]): Message[] {
  const changes = new Map(changed.map((message) => [message.id, message]));
  const known = messages.map((message) => {
    const replacement = changes.get(message.id);
    changes.delete(message.id);
    return replacement ?? message;
  });
  return [...known, ...changes.values()];
}
