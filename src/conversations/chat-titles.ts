import { randomUUIDv7 } from 'node:crypto';
import { Cancellation } from '#vocabulary/cancellation';
import type { Catalogue, ModelDefinition } from '#vocabulary/catalogue';
import type { ChatInference } from '#vocabulary/chat-inference';
import type { Clock } from '#vocabulary/clock';
import type { Chat, ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore } from '#vocabulary/conversation-store';
import { cutText } from '#vocabulary/cut-text';
import type { Logger } from '#vocabulary/logger';
import { askAside } from './ask-aside.ts';
import { branchTo } from './branch.ts';
import type { PersonEvents } from './person-events.ts';

/** Titles wait in line one behind the other; when more chats than this wait, the newest keeps its first words. */
const maxWaiting = 50;
const giveUpMs = 60_000;

/** Where the person sits, and on whose account the chat is asked. */
export interface TitleAsker {
  readonly address: string;
  readonly projectId: string | undefined;
}

export interface ChatTitles {
  /** In the background; never throws. A chat that a person has named keeps its name. */
  suggest(chat: Chat, answer: ChatMessage, asker: TitleAsker): void;
  stop(): void;
}

export function createChatTitles(parts: {
  readonly store: ConversationStore;
  readonly inference: ChatInference;
  readonly catalogue: () => Catalogue;
  readonly wantsTitles: (personId: string) => Promise<boolean>;
  readonly events: PersonEvents;
  readonly clock: Clock;
  readonly logger: Logger;
}): ChatTitles {
  const { store, catalogue, events, logger } = parts;
  let line = Promise.resolve();
  let waiting = 0;
  let isStopped = false;
  let current: Cancellation | undefined;

  return {
    suggest(chat, answer, asker) {
      if (isStopped || chat.titleSource !== 'placeholder' || answer.content === '' || waiting >= maxWaiting)
        return;
      waiting++;
      line = line
        .then(() => nameChat(chat, answer, asker))
        .catch((cause: unknown) => logger.warn({ error: cause }, 'a chat could not be given a title'))
        .finally(() => waiting--);
    },
    stop() {
      isStopped = true;
      current?.cancel('shutdown');
    },
  };

  async function nameChat(asked: Chat, answer: ChatMessage, asker: TitleAsker): Promise<void> {
    const chat = await store.findChat(asked.personId, asked.id);
    if (isStopped || chat?.titleSource !== 'placeholder' || !(await parts.wantsTitles(chat.personId))) return;
    const model = chooseModel(catalogue(), chat.model);
    if (model === undefined) return;
    const [first] = branchTo(await store.readOutline(chat.id), answer.id);
    const question = first === undefined ? undefined : await store.findMessage(chat.id, first.id);
    const written = await ask(model, chat.personId, asker, question?.content ?? '', answer.content);
    const title = cleanTitle(written);
    if (title === undefined) return;
    const current = await store.findChat(chat.personId, chat.id);
    if (current?.titleSource !== 'placeholder') return;
    const named = await store.changeChat(chat.personId, chat.id, { title, titleSource: 'model' });
    if (named !== undefined) events.announce(chat.personId, { type: 'chatChanged', chat: named });
  }

  async function ask(
    model: ModelDefinition,
    personId: string,
    { address, projectId }: TitleAsker,
    question: string,
    reply: string,
  ) {
    const cancellation = new Cancellation();
    current = cancellation;
    const timer = setTimeout(() => cancellation.cancel('stopped'), giveUpMs).unref();
    const written = await askAside(parts, {
      requestId: randomUUIDv7(),
      isTemporary: true,
      personId,
      projectId,
      address,
      model,
      content: titlePrompt(question, reply),
      maxTokens: model.reasoning === 'none' ? 24 : 1000,
      cancellation,
    });
    clearTimeout(timer);
    current = undefined;
    return written.state === 'complete' ? written.content : '';
  }
}

/** The chat's own model, unless it thinks long and another one answers at once. */
function chooseModel(catalogue: Catalogue, modelId: string): ModelDefinition | undefined {
  const models = catalogue.models.filter(
    ({ writesTitles, isForEmbeddings }) => writesTitles && !isForEmbeddings,
  );
  const own = models.find((model) => model.id === modelId);
  if (own?.reasoning === 'none') return own;
  return models.find((model) => model.reasoning === 'none') ?? own;
}

function titlePrompt(question: string, reply: string): string {
  return [
    'Write a title of two to six words for this conversation, in its own language. Answer with the title alone.',
    '',
    `Question: ${cutText(question, 1000)}`,
    `Answer: ${cutText(reply, 500)}`,
    '',
    'Title:',
  ].join('\n');
}

/** One short line without decoration; undefined when the model wrote something else. */
function cleanTitle(written: string): string | undefined {
  const line = written.trim().split('\n', 1)[0] ?? '';
  const title = line
    .replace(/^(?:title:|[-–•]\s)\s*/i, '')
    .replace(/^["'“”«»*#\s]+|["'“”«»*.\s]+$/g, '')
    .replace(/\p{Cc}/gu, '')
    .trim();
  return title.length >= 2 && title.length <= 80 ? title : undefined;
}
