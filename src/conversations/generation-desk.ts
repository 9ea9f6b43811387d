import type { SentContext } from '#contract/context';
import type { Catalogue, ModelDefinition } from '#vocabulary/catalogue';
import type { ChatInference } from '#vocabulary/chat-inference';
import type { Clock } from '#vocabulary/clock';
import type { Chat, ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { ContextAsk, GenerationAsk, GenerationDesk, TemporaryAsk } from '#vocabulary/conversations';
import { viewAttached, type DocumentStore } from '#vocabulary/documents';
import { mintId } from '#vocabulary/ids';
import { Refusal } from '#vocabulary/refusal';
import type { AnswerRegistry } from './answer-registry.ts';
import { branchTo } from './branch.ts';
import { buildChatRequest, type AskedFor } from './chat-request.ts';
import { noSuchChat, noSuchDocument, noSuchMessage } from './missing.ts';
import { firstWords, newMessage } from './new-message.ts';
import { withPictures } from './read-pictures.ts';
import { planContext } from './plan-context.ts';
import type { PersonEvents } from './person-events.ts';
import type { StorageQuota } from './storage-quota.ts';
import { RunningAnswer } from './running-answer.ts';

/** Clicks that were seen lately, so that the same one counts once; the oldest is forgotten beyond this. */
const maxRememberedClicks = 2000;

/** More of a branch fits no model, and would only fill memory. */
const maxBranchBytes = 16 * 1024 * 1024;

export interface GenerationDeskParts {
  readonly store: ConversationStore;
  readonly documents: DocumentStore;
  readonly inference: ChatInference;
  readonly catalogue: () => Catalogue;
  readonly registry: AnswerRegistry;
  readonly quota: StorageQuota;
  readonly events: PersonEvents;
  readonly clock: Clock;
  /** Called when an answer of a chat has ended and is written down. */
  readonly answered: (chat: Chat, message: ChatMessage, address: string) => void;
}

export function createGenerationDesk(parts: GenerationDeskParts): GenerationDesk {
  const { store, catalogue, registry, events, clock } = parts;
  const clicks = new Map<string, Promise<() => Promise<unknown>>>();

  return {
    preview,
    start: (ask) => once(`${ask.personId} ${ask.requestKey}`, () => start(ask), remember),
    startTemporary: (ask) =>
      once(
        `${ask.personId} temporary ${ask.requestKey}`,
        () => startTemporary(ask),
        (started) => async () => started,
      ),
    listRunning: (personId) => registry.runningOf(personId).map((answer) => answer.description),
    runningIn: (chatId) => registry.runningIn(chatId)?.description.id ?? null,
    knows: (personId, generationId) => registry.findKnown(personId, generationId) !== undefined,
    subscribe: (personId, generationId, after, listener) =>
      registry.find(personId, generationId).subscribe(after, listener),
    async stop(personId, generationId) {
      registry.find(personId, generationId).cancellation.cancel('stopped');
    },
  };

  async function preview(ask: ContextAsk): Promise<SentContext> {
    const { personId, chatId, systemPrompt = '', parameters = {} } = ask;
    const model = findModel(ask.model);
    if (chatId !== null && (await store.findChat(personId, chatId)) === undefined) throw noSuchChat();
    const above = await readAbove(ask);
    const question = newMessage({
      parentId: ask.parentId,
      role: 'user',
      content: ask.content,
      createdAt: clock.wallMs(),
      documents: await findDocuments(personId, ask.documents ?? []),
    });
    const asked = { model, effort: null, systemPrompt, parameters };
    const branch = { messages: [...above.messages, question], isWhole: above.isWhole };
    return (await planContext(parts.documents, personId, asked, branch)).sent;
  }

  async function start(ask: GenerationAsk) {
    const model = findModel(ask.model);
    using _place = registry.reserve(ask.personId);
    const now = clock.wallMs();
    const existing = ask.chatId === null ? undefined : await store.findChat(ask.personId, ask.chatId);
    if (ask.chatId !== null && existing === undefined) throw noSuchChat();
    const above = await readAbove(ask);
    refuseNonsense(ask, above.messages.at(-1));
    await parts.quota.require(ask.personId, bytesOf(ask));

    const effort = ask.effort === undefined ? (existing?.effort ?? null) : ask.effort;
    const chain = await chainBelow(ask, now);
    const settings: AskedFor = {
      model,
      effort,
      systemPrompt: ask.systemPrompt ?? existing?.systemPrompt ?? '',
      parameters: ask.parameters ?? existing?.parameters ?? {},
    };
    const planned = await planContext(parts.documents, ask.personId, settings, {
      messages: [...above.messages, ...chain],
      isWhole: above.isWhole,
    });
    const generationId = mintId('generation');
    const answer = newMessage({
      parentId: chain.at(-1)?.id ?? ask.parentId,
      role: 'assistant',
      content: '',
      createdAt: now,
      model: model.id,
      effort: model.supportsReasoningEffort ? effort : null,
      state: 'running',
      generationId,
      context: planned.sent,
    });
    const messages = [...chain, answer];
    const chat = await writeDown(ask, existing, messages, now);
    const running = new RunningAnswer({
      personId: ask.personId,
      description: {
        id: generationId,
        chatId: chat.id,
        messageId: answer.id,
        model: model.id,
        startedAt: now,
      },
      message: answer,
      clock,
    });
    const branch = await withPictures(parts.documents, ask.personId, model, planned.branch);
    run(running, buildChatRequest(settings, branch), ask.address, chat);
    events.announce(ask.personId, { type: 'chatChanged', chat });
    return { generation: running.description, chat, messages };
  }

  /** The branch that is answered; of one that is too long for any model its end. */
  async function readAbove({ chatId, parentId }: Pick<GenerationAsk, 'chatId' | 'parentId'>): Promise<Above> {
    if (parentId === null) return { messages: [], isWhole: true };
    if (chatId === null) throw noSuchMessage();
    const branch = branchTo(await store.readOutline(chatId), parentId);
    if (branch.length === 0) throw noSuchMessage();
    let bytes = 0;
    const first = branch.findLastIndex((message) => (bytes += message.bytes) > maxBranchBytes) + 1;
    const end = branch.slice(Math.min(first, branch.length - 1));
    const messages = await store.readMessages(
      chatId,
      end.map(({ id }) => id),
    );
    return { messages: messages.map(registry.newest), isWhole: first === 0 };
  }

  async function chainBelow(ask: GenerationAsk, now: number): Promise<readonly ChatMessage[]> {
    const chain: ChatMessage[] = [];
    for (const said of ask.newMessages) {
      const parentId = chain.at(-1)?.id ?? ask.parentId;
      const documents = said.role === 'user' ? await findDocuments(ask.personId, said.documents ?? []) : [];
      chain.push(newMessage({ parentId, createdAt: now, ...said, documents }));
    }
    return chain;
  }

  async function findDocuments(personId: string, ids: readonly string[]) {
    return await Promise.all(
      ids.map(async (id) => {
        const document = await parts.documents.find(personId, id);
        if (document?.state !== 'ready') throw noSuchDocument();
        return viewAttached(document);
      }),
    );
  }

  /** What was started, without holding on to its texts. */
  function remember({ generation, chat, messages }: Started): () => Promise<Started> {
    const { personId, id: chatId } = chat;
    const messageIds = messages.map(({ id }) => id);
    return async () => {
      const now = await store.findChat(personId, chatId);
      const found = await Promise.all(messageIds.map((id) => store.findMessage(chatId, id)));
      if (now === undefined) throw noSuchChat();
      return {
        generation,
        chat: now,
        messages: found.flatMap((message) => (message === undefined ? [] : registry.newest(message))),
      };
    };
  }

  async function startTemporary(ask: TemporaryAsk) {
    const model = findModel(ask.model);
    using _place = registry.reserve(ask.personId);
    const now = clock.wallMs();
    const generationId = mintId('generation');
    const effort = model.supportsReasoningEffort ? (ask.effort ?? null) : null;
    const fields = {
      parentId: null,
      role: 'assistant',
      content: '',
      createdAt: now,
      model: model.id,
      effort,
    } as const;
    const settings = {
      model,
      effort,
      systemPrompt: ask.systemPrompt ?? '',
      parameters: ask.parameters ?? {},
    };
    const planned = await planContext(parts.documents, ask.personId, settings, {
      messages: ask.messages,
      isWhole: true,
    });
    const message = newMessage({ ...fields, state: 'running', generationId, context: planned.sent });
    const description = {
      id: generationId,
      chatId: null,
      messageId: message.id,
      model: model.id,
      startedAt: now,
    };
    const running = new RunningAnswer({ personId: ask.personId, description, message, clock });
    const branch = await withPictures(parts.documents, ask.personId, model, planned.branch);
    run(running, buildChatRequest(settings, branch), ask.address, undefined);
    return { generation: description, message };
  }

  /** Not awaited by anybody who asks: the answer belongs to the server from here on. */
  function run(
    answer: RunningAnswer,
    request: ReturnType<typeof buildChatRequest>,
    address: string,
    chat: Chat | undefined,
  ): void {
    const { personId, cancellation } = answer;
    const work = parts.inference.answer({ personId, address, request, reply: answer, cancellation });
    registry.keep(answer, work, () => {
      if (chat !== undefined) parts.answered(chat, answer.message(), address);
    });
  }

  async function writeDown(
    ask: GenerationAsk,
    existing: Chat | undefined,
    messages: readonly ChatMessage[],
    now: number,
  ): Promise<Chat> {
    const leafId = messages.at(-1)?.id ?? null;
    if (existing === undefined) {
      const chat: Chat = {
        id: mintId('chat'),
        personId: ask.personId,
        title: firstWords(messages[0]?.content ?? ''),
        titleSource: 'placeholder',
        model: ask.model,
        effort: ask.effort ?? null,
        systemPrompt: ask.systemPrompt ?? '',
        parameters: ask.parameters ?? {},
        isPinned: false,
        activeLeafId: leafId,
        share: null,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      };
      await store.insertChat(chat, messages);
      return chat;
    }
    if (!(await store.appendMessages(existing.id, messages, now))) throw noSuchChat();
    const isNamed = existing.titleSource !== 'placeholder' || existing.activeLeafId !== null;
    const chat = await store.changeChat(ask.personId, existing.id, {
      model: ask.model,
      ...(ask.effort !== undefined && { effort: ask.effort }),
      ...(ask.systemPrompt !== undefined && { systemPrompt: ask.systemPrompt }),
      ...(ask.parameters !== undefined && { parameters: ask.parameters }),
      ...(!isNamed && { title: firstWords(messages[0]?.content ?? '') }),
    });
    if (chat === undefined) throw noSuchChat();
    return chat;
  }

  function findModel(modelId: string): ModelDefinition {
    const model = catalogue().models.find((candidate) => candidate.id === modelId);
    if (model !== undefined) return model;
    throw new Refusal('model_not_found', 'This model is not served here any more. Choose another one.', {
      param: 'model',
    });
  }

  /** The same click twice gets the same answer; a click that failed may be repeated. */
  async function once<T>(
    key: string,
    begin: () => Promise<T>,
    remember: (begun: T) => () => Promise<T>,
  ): Promise<T> {
    const known = clicks.get(key);
    if (known !== undefined) return (await (known as Promise<() => Promise<T>>))();
    const begun = begin();
    const remembered = begun.then(remember);
    clicks.set(key, remembered);
    remembered.catch(() => clicks.delete(key));
    for (const oldest of clicks.keys()) {
      if (clicks.size <= maxRememberedClicks) break;
      clicks.delete(oldest);
    }
    return begun;
  }
}

interface Above {
  readonly messages: readonly ChatMessage[];
  readonly isWhole: boolean;
}

type Started = Awaited<ReturnType<GenerationDesk['start']>>;

function refuseNonsense(ask: GenerationAsk, parent: ChatMessage | undefined): void {
  if (parent?.state === 'running') {
    throw new Refusal('conflict', 'The answer above is still being written. Wait for it or stop it first.');
  }
  if (ask.newMessages.length === 0 && (parent === undefined || parent.role === 'assistant')) {
    throw new Refusal('invalid_parameter', 'There is nothing to answer. Send a message.', {
      param: 'newMessages',
    });
  }
}

function bytesOf({ newMessages }: GenerationAsk): number {
  return newMessages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
}
