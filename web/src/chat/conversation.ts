import type { AttachedDocument } from '#contract/documents';
import type { Feedback } from '#contract/feedback';
import type { Effort } from '#contract/fields';
import type { Message, NewMessage, Parameters } from '#contract/messages';
import { randomId } from '../client/random-id.ts';
import type { MessageTree } from './message-tree.ts';

/** How the next answer is asked for. */
export interface AnswerSettings {
  readonly model: string;
  readonly effort: Effort | null;
  readonly systemPrompt: string;
  readonly parameters: Parameters;
}

/** What the page can do with a conversation, whether it is stored, new or temporary. */
export interface Conversation {
  readonly kind: 'new' | 'stored' | 'temporary';
  readonly chatId: string | null;
  /** In whose space a new chat begins. */
  readonly projectId?: string | undefined;
  readonly title: string;
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  readonly folderId: string | null;
  readonly tree: MessageTree;
  /** The branch being looked at, first message first. */
  readonly path: readonly Message[];
  /** What comes before the messages that are here. */
  readonly earlier: EarlierMessages;
  readonly settings: AnswerSettings;
  changeSettings(change: Partial<AnswerSettings>): void;
  /** The answer being written at the end of this branch. */
  readonly running: Message | undefined;
  /**
   * Resolves to false when the server would not take it; the words stay with the writer. With the same key it is asked
   * once, however often it is sent.
   */
  send(
    messages: readonly NewMessage[],
    attached?: readonly AttachedDocument[],
    requestKey?: string,
  ): Promise<boolean>;
  /** The same place in the tree with other words, and a new answer. */
  edit(message: Message, content: string): Promise<boolean>;
  /** Another answer to the same question; `model` may be another one. */
  regenerate(answer: Message, model?: string): Promise<boolean>;
  stop(): void;
  showBranch(messageId: string): void;
  remove(message: Message): void;
  /** What can be done with answers that are kept; a temporary chat keeps none. */
  readonly working?: WorkingWithAnswers | undefined;
}

export interface WorkingWithAnswers {
  /** The same message grows on. */
  goOn(answer: Message): void;
  /** Another answer to the same question, by the same model with this seed. */
  runAgain(answer: Message, seed: number | undefined): void;
  /** Null takes it back. */
  judge(answer: Message, feedback: Feedback | null): void;
}

export interface EarlierMessages {
  /** `failed`: it waits for a click. */
  readonly state: 'none' | 'more' | 'loading' | 'failed';
  load(): void;
}

export const nothingEarlier: EarlierMessages = { state: 'none', load: () => undefined };

/** A message the server has not confirmed yet. */
export function pendingMessage(
  fields: Pick<Message, 'role' | 'content' | 'parentId'> & Partial<Message>,
): Message {
  return {
    id: `pending-${randomId()}`,
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
    createdAt: Date.now(),
    ...fields,
  };
}

/** New messages in a chain, and the answer they wait for. */
export function pendingBelow(
  parentId: string | null,
  newMessages: readonly NewMessage[],
  model: string,
  attached: readonly AttachedDocument[] = [],
): Message[] {
  const chain: Message[] = [];
  for (const message of newMessages) {
    const toolCallId = message.role === 'tool' ? message.toolCallId : null;
    const { role, content } = message;
    const documents = role === 'user' ? attached : [];
    const above = chain.at(-1)?.id ?? parentId;
    chain.push(pendingMessage({ role, content, toolCallId, documents, parentId: above }));
  }
  return [
    ...chain,
    pendingMessage({
      role: 'assistant',
      content: '',
      state: 'running',
      model,
      parentId: chain.at(-1)?.id ?? parentId,
    }),
  ];
}

/** A question with what goes along, as the service takes it. */
export function withDocuments(
  messages: readonly NewMessage[],
  attached: readonly AttachedDocument[],
): NewMessage[] {
  if (attached.length === 0) return [...messages];
  const documents = attached.map(({ id }) => id);
  return messages.map((message) => (message.role === 'user' ? { ...message, documents } : message));
}

export function isPending(message: Message): boolean {
  return message.id.startsWith('pending-');
}
