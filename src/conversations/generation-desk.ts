import { randomUUIDv7 } from 'node:crypto';
import type { SentContext } from '#contract/context';
import type { Parameters } from '#contract/messages';
import type { Catalogue, ModelDefinition } from '#vocabulary/catalogue';
import type { ChatInference } from '#vocabulary/chat-inference';
import type { Clock } from '#vocabulary/clock';
import type { Chat, ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type {
  ContextAsk,
  ContinueAsk,
  GenerationAsk,
  GenerationDesk,
  TemporaryAsk,
} from '#vocabulary/conversations';
import { viewAttached, type DocumentStore } from '#vocabulary/documents';
import { mintId } from '#vocabulary/ids';
import { Refusal } from '#vocabulary/refusal';
import type { AnswerRegistry } from './answer-registry.ts';
import type { AnswersElsewhere } from './answers-elsewhere.ts';
import { branchTo } from './branch.ts';
import { opened, refuseUncut, withBeginning } from './continued-answer.ts';
import type { AskedFor } from './chat-request.ts';
import { nobodyIsAsked, noSuchChat, noSuchDocument, noSuchMessage } from './missing.ts';
import { newMessage } from './new-message.ts';
import { createRememberedClicks } from './remembered-clicks.ts';
import type { PersonEvents } from './person-events.ts';
import type { Above, AnswerPreparer, ChatRequest, Prepared } from './prepare-answer.ts';
import type { StorageQuota } from './storage-quota.ts';
import { RunningAnswer } from './running-answer.ts';
import { RunningCall } from './running-call.ts';
import { writeDown } from './write-down.ts';
import type { TitleAsker } from './chat-titles.ts';
import { type FindSpaceOfAnswer, withInstructions } from './space-of-answer.ts';
import { addBelow } from './add-below.ts';
import type { ToolRounds } from './tool-rounds.ts';

/** More of a branch fits no model, and would only fill memory. */
const maxBranchBytes = 16 * 1024 * 1024;

export interface GenerationDeskParts {
  readonly store: ConversationStore;
  readonly documents: DocumentStore;
  readonly preparer: AnswerPreparer;
  readonly inference: ChatInference;
  readonly catalogue: () => Catalogue;
  readonly registry: AnswerRegistry;
  readonly rounds: ToolRounds;
  /** Those of other gateways, where there are any. */
  readonly elsewhere: AnswersElsewhere | undefined;
  readonly quota: StorageQuota;
  readonly events: PersonEvents;
  readonly clock: Clock;
  /** Called when an answer of a chat has ended and is written down. */
  readonly answered: (chat: Chat, message: ChatMessage, asker: TitleAsker) => void;
  /** What the space of a chat adds to a question. */
  readonly spaceOf: FindSpaceOfAnswer;
}

export function createGenerationDesk(parts: GenerationDeskParts): GenerationDesk {
  const { store, preparer, catalogue, registry, elsewhere, events, clock } = parts;
  const once = createRememberedClicks();

  return {
    preview,
    start: (ask) => once(`${ask.personId} ${ask.requestKey}`, () => start(ask), remember),
    continue: (ask) => once(`${ask.personId} continue ${ask.requestKey}`, () => writeOn(ask), remember),
    startTemporary: (ask) =>
      once(
        `${ask.personId} temporary ${ask.requestKey}`,
        () => startTemporary(ask),
        (started) => async () => started,
      ),
    listRunning: (personId) => [
      ...registry.runningOf(personId).map((answer) => answer.description),
      ...(elsewhere?.runningOf(personId) ?? []),
    ],
    runningIn: (chatId) => registry.runningIn(chatId)?.description.id ?? elsewhere?.runningIn(chatId) ?? null,
    knows: (personId, generationId) =>
      registry.findKnown(personId, generationId) !== undefined ||
      elsewhere?.knows(personId, generationId) === true,
    subscribe(personId, generationId, after, listener) {
      const own = registry.findKnown(personId, generationId);
      if (own === undefined && elsewhere?.knows(personId, generationId) === true)
        return elsewhere.subscribe(personId, generationId, after, listener);
      return registry.find(personId, generationId).subscribe(after, listener);
    },
    async stop(personId, generationId) {
      const own = registry.findKnown(personId, generationId);
      if (own === undefined && (await elsewhere?.stop(personId, generationId)) === true) return;
      registry.find(personId, generationId).cancellation.cancel('stopped');
    },
    async consent(personId, generationId, decision) {
      const own = registry.findKnown(personId, generationId);
      if (own === undefined && (await elsewhere?.consent(personId, generationId, decision)) === true) return;
      const call = registry.find(personId, generationId);
      if (!(call instanceof RunningCall) || !call.decide(decision)) throw nobodyIsAsked();
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
    const space = await parts.spaceOf(ask);
    const asked = {
      model,
      effort: null,
      systemPrompt: withInstructions(space, systemPrompt),
      parameters,
      space,
    };
    const branch = { messages: [...above.messages, question], isWhole: above.isWhole };
    return await preparer.preview(personId, asked, branch);
  }

  async function start(ask: GenerationAsk) {
    const model = findModel(ask.model);
    using _place = registry.reserve(ask.personId);
    const now = clock.wallMs();
    const existing = ask.chatId === null ? undefined : await store.findChat(ask.personId, ask.chatId);
    if (ask.chatId !== null && existing === undefined) throw noSuchChat();
    const space = await parts.spaceOf(ask);
    const above = await readAbove(ask);
    refuseNonsense(ask, above.messages.at(-1));
    await parts.quota.require(ask.personId, bytesOf(ask));

    const effort = ask.effort === undefined ? (existing?.effort ?? null) : ask.effort;
    const chain = await chainBelow(ask, now);
    const settings: AskedFor = {
      model,
      effort,
      systemPrompt: withInstructions(space, ask.systemPrompt ?? existing?.systemPrompt ?? ''),
      parameters: withSeed(ask.parameters ?? existing?.parameters ?? {}, ask.seed),
      space,
    };
    const parentId = chain.at(-1)?.id ?? ask.parentId;
    const branch = { messages: [...above.messages, ...chain], isWhole: above.isWhole };
    const prepared = await preparer.prepare(ask.personId, settings, branch, parentId);
    const messages = [...chain, prepared.answer];
    const chat = await writeDown(store, ask, existing, space?.projectId, messages, now);
    const running = run(prepared, ask, chat);
    events.announce(ask.personId, { type: 'chatChanged', chat });
    return { generation: running.description, chat, messages };
  }

  /** An answer that was cut goes on where it ended: the same message grows. */
  async function writeOn(ask: ContinueAsk) {
    using _place = registry.reserve(ask.personId);
    const chat = await store.findChat(ask.personId, ask.chatId);
    if (chat === undefined) throw noSuchChat();
    const { messages, isWhole } = await readAbove({ chatId: chat.id, parentId: ask.messageId });
    const cut = messages.at(-1) ?? raise(noSuchMessage());
    const model = findModel(cut.model ?? chat.model);
    refuseUncut(cut, model, catalogue());
    const space = await parts.spaceOf(ask);
    const systemPrompt = withInstructions(space, chat.systemPrompt);
    const settings = { ...chat, systemPrompt, model, effort: cut.effort, space };
    const branch = { messages: messages.slice(0, -1), isWhole };
    const prepared = await preparer.prepare(ask.personId, settings, branch, cut.parentId);
    const answer = opened(cut, prepared.answer);
    if (!(await store.reopenMessage(chat.id, answer)))
      throw new Refusal('conflict', 'The chat went on meanwhile. Only its last answer can be continued.');
    const running = run({ ...prepared, answer }, ask, chat, (request) => withBeginning(request, answer));
    return { generation: running.description, chat, messages: [running.message()] };
  }

  /** After the calls of tools: the same question, the same way, with what they gave. */
  async function goOn(asker: Asker, chatId: string, before: AskedFor, parentId: string): Promise<void> {
    const { personId } = asker;
    const chat = await store.findChat(personId, chatId);
    if (chat === undefined) return;
    const space = await parts.spaceOf({ personId, chatId });
    const settings = {
      ...before,
      model: findModel(before.model.id),
      systemPrompt: withInstructions(space, chat.systemPrompt),
      parameters: chat.parameters,
      space,
    };
    const above = await readAbove({ chatId, parentId });
    const prepared = await preparer.prepare(personId, settings, above, parentId);
    const messages = [prepared.answer];
    if (!(await addBelow(store, personId, chatId, parentId, messages, clock.wallMs()))) return;
    events.announce(personId, { type: 'messagesAdded', chatId, messages });
    run(prepared, asker, chat);
  }

  /** The branch that is answered; of one that is too long for any model its end. */
  async function readAbove({ chatId, parentId }: Place): Promise<Above<ChatMessage>> {
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
    const settings = {
      model,
      effort: ask.effort ?? null,
      systemPrompt: ask.systemPrompt ?? '',
      parameters: { ...ask.parameters, toolServers: [] },
    };
    const branch = { messages: ask.messages, isWhole: true };
    const prepared = await preparer.prepare(ask.personId, settings, branch, null);
    const { description } = run(prepared, ask, undefined);
    return { generation: description, message: prepared.answer };
  }

  /** Not awaited by anybody who asks: the answer belongs to the server from here on. */
  function run(
    prepared: Prepared,
    { personId, address }: Asker,
    chat: Chat | undefined,
    complete = (request: ChatRequest) => request,
  ): RunningAnswer {
    const { answer: message, asked, tools } = prepared;
    const description = {
      id: message.generationId ?? mintId('generation'),
      chatId: chat?.id ?? null,
      messageId: message.id,
      model: asked.model.id,
      startedAt: message.createdAt,
    };
    const projectId = asked.space?.projectId;
    const answer = new RunningAnswer({ personId, projectId, description, message, clock });
    const { cancellation } = answer;
    const work = async () => {
      const request =
        chat === undefined
          ? prepared.request
          : await preparer.summarise(prepared, { personId, address }, chat.id, answer);
      if (cancellation.isCancelled) return;
      await parts.inference.answer({
        requestId: message.requestIds.at(-1) ?? randomUUIDv7(),
        isTemporary: chat === undefined,
        personId,
        projectId,
        address,
        request: complete(request),
        reply: answer,
        cancellation,
      });
      if (chat === undefined) return;
      const again = (parentId: string) => goOn({ personId, address }, chat.id, asked, parentId);
      await parts.rounds.follow({ chatId: chat.id, answer, tools, goOn: again });
    };
    registry.keep(answer, work(), () => {
      if (chat !== undefined) parts.answered(chat, answer.message(), { address, projectId });
    });
    elsewhere?.tell();
    return answer;
  }

  function findModel(modelId: string): ModelDefinition {
    const model = catalogue().models.find((candidate) => candidate.id === modelId);
    if (model?.isForEmbeddings === true)
      throw new Refusal(
        'invalid_parameter',
        'This model turns texts into vectors and writes no answers. Choose another one.',
        { param: 'model' },
      );
    if (model !== undefined) return model;
    throw new Refusal('model_not_found', 'This model is not served here any more. Choose another one.', {
      param: 'model',
    });
  }
}

function raise(refusal: Refusal): never {
  throw refusal;
}

type Place = Pick<GenerationAsk, 'chatId' | 'parentId'>;
type Asker = Pick<GenerationAsk, 'personId' | 'address'>;

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

function withSeed(parameters: Parameters, seed: number | undefined): Parameters {
  return seed === undefined ? parameters : { ...parameters, seed };
}

function bytesOf({ newMessages }: GenerationAsk): number {
  return newMessages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
}
