import type { ArchivedChat } from '#contract/archive';

/** A chat of another program, understood as far as it could be. */
export interface ForeignChat {
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly systemPrompt: string;
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  /** The end of the branch that was looked at last. */
  readonly currentId: string | undefined;
  readonly nodes: readonly ForeignNode[];
}

/** A place in its tree. Without a role it holds nothing that is shown; what is below it moves up. */
export interface ForeignNode {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly role: 'user' | 'assistant' | undefined;
  readonly text: string;
  readonly reasoning: string;
  readonly model: string | null;
  readonly at: number | undefined;
}

/** What could not be brought along. */
export interface Skipped {
  chats: number;
  messages: number;
  files: number;
}

export interface Understood {
  readonly chats: readonly ArchivedChat[];
  readonly skipped: Readonly<Skipped>;
}

/** What a chat gets that the file cannot say. */
export interface Host {
  /** The model that goes on with it. */
  readonly model: string;
  readonly untitled: string;
  readonly now: number;
}

type ArchivedMessage = ArchivedChat['messages'][number];
type Draft = { -readonly [Key in keyof ArchivedMessage]: ArchivedMessage[Key] };

const maxMessages = 20_000;
const maxText = 2_000_000;
const maxInstructions = 100_000;

/** Undefined when there is nothing in it. Whatever the file says of parents, what comes out is a tree. */
export function toArchivedChat(chat: ForeignChat, host: Host, skipped: Skipped): ArchivedChat | undefined {
  const { messages, placeOf } = grow(chat, host, skipped);
  if (messages.length === 0) return undefined;
  const current = chat.currentId === undefined ? undefined : placeOf.get(chat.currentId);
  const createdAt = Math.min(chat.createdAt, host.now);
  return {
    title: titleOf(chat, messages, host),
    model: host.model,
    effort: null,
    systemPrompt: cut(chat.systemPrompt, maxInstructions),
    parameters: {},
    isPinned: chat.isPinned,
    archivedAt: chat.isArchived ? host.now : null,
    folder: null,
    activeLeafId: current ?? null,
    createdAt,
    updatedAt: Math.max(createdAt, Math.min(chat.updatedAt, host.now)),
    messages,
  };
}

/** From the roots down, without recursion: a file may hold a chain of any length, and circles. */
function grow({ nodes, createdAt }: ForeignChat, host: Host, skipped: Skipped) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const children = Map.groupBy(nodes, ({ parentId, id }) =>
    parentId === undefined || parentId === id || !byId.has(parentId) ? '' : parentId,
  );
  const messages: Draft[] = [];
  const byPlace = new Map<string, Draft>();
  /** Where each node went: its own message, or the one above that it became a part of. */
  const placeOf = new Map<string, string | null>();
  const waiting: { readonly node: ForeignNode; readonly above: string | null }[] = [];
  const push = (below: readonly ForeignNode[], above: string | null) => {
    // The oldest is taken first, from the end.
    const oldestLast = below.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0)).toReversed();
    for (const node of oldestLast) waiting.push({ node, above });
  };
  push(children.get('') ?? [], null);
  // What is left after all roots goes round in circles: one of it becomes a root.
  for (const node of [undefined, ...nodes]) {
    if (node !== undefined && !placeOf.has(node.id)) push([node], null);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (placeOf.has(next.node.id)) continue;
      const place = settle(next.node, next.above);
      placeOf.set(next.node.id, place);
      push(children.get(next.node.id) ?? [], place);
    }
  }
  return { messages, placeOf };

  function settle(node: ForeignNode, above: string | null): string | null {
    const { role, reasoning, model, at } = node;
    const text = cut(node.text, maxText);
    if (role === undefined || (text === '' && reasoning === '')) return above;
    if (messages.length >= maxMessages) {
      skipped.messages += 1;
      return above;
    }
    const parent = above === null ? undefined : byPlace.get(above);
    const isOnly = (children.get(node.parentId ?? '')?.length ?? 0) === 1;
    // Steps of one answer: calls of tools, what they gave, and the words at the end.
    if (parent?.role === 'assistant' && role === 'assistant' && isOnly) {
      parent.content = cut([parent.content, text].filter(Boolean).join('\n\n'), maxText);
      parent.reasoning = cut([parent.reasoning, reasoning].filter(Boolean).join('\n\n'), maxText);
      parent.model ??= model;
      return above;
    }
    const message: Draft = {
      id: `m${messages.length}`,
      parentId: above,
      role,
      content: text,
      reasoning: cut(reasoning, maxText),
      toolCalls: [],
      toolCallId: null,
      tool: null,
      summary: null,
      model: role === 'assistant' ? (model?.slice(0, 200) ?? null) : null,
      effort: null,
      finishReason: null,
      usage: null,
      timings: null,
      state: 'complete',
      error: null,
      createdAt: Math.min(at ?? createdAt, host.now),
    };
    messages.push(message);
    byPlace.set(message.id, message);
    return message.id;
  }
}

function titleOf(chat: ForeignChat, messages: readonly ArchivedMessage[], host: Host): string {
  const first = messages.find(({ role }) => role === 'user')?.content ?? '';
  const title = [chat.title, first, host.untitled].map((text) => text.replaceAll(/\s+/g, ' ').trim());
  return cut(title.find((text) => text !== '') ?? '?', 200).trim();
}

/** Never within a character. */
function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}
