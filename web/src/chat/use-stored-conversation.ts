import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ChatWithMessages } from '#contract/chats';
import type { AttachedDocument } from '#contract/documents';
import type { Message, NewMessage } from '#contract/messages';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { randomId } from '../client/random-id.ts';
import { changeChat } from '../sidebar/chat-cache.ts';
import { useWords } from '../language/language.tsx';
import { modelsIn, useSpaceOf } from '../spaces/use-spaces.ts';
import { readChat } from './chat-pages.ts';
import { pendingBelow, withDocuments, type AnswerSettings, type Conversation } from './conversation.ts';
import { insist } from './insist.ts';
import { useLiveAnswers } from './live-answers-context.tsx';
import { buildTree, newestLeaf, pathTo, withMessages } from './message-tree.ts';
import { noteStarted } from './note-started.ts';
import { useEarlierPages } from './use-earlier-pages.ts';
import { useWorkingWithAnswers } from './use-working-with-answers.ts';
import { useStop } from './use-stop.ts';
import { askedSettings, useAnswerSettings } from './use-answer-settings.ts';
import { useDefaultModel, useModels, useModelsNow } from './use-models.ts';

interface StoredConversation {
  readonly conversation: Conversation;
  readonly isLoading: boolean;
  readonly failure: unknown;
}

/** A chat of the server's store; with `chatId` null one that begins with its first message. */
export function useStoredConversation(
  chatId: string | null,
  onCreated: (chatId: string) => void,
  /** In whose space a new chat begins. */
  projectId?: string,
): StoredConversation {
  const client = useClient();
  const queries = useQueryClient();
  const liveAnswers = useLiveAnswers();
  const { whileAsking, stop } = useStop();
  const notices = useNotices();
  const words = useWords();
  const models = useModels();
  const modelsNow = useModelsNow();
  const defaultModel = useDefaultModel();
  const space = useSpaceOf({ chatId, projectId });
  const draft = useAnswerSettings('new', modelsIn(space, models));
  /** What was just sent and is not confirmed yet. */
  const [pending, setPending] = useState<readonly Message[]>([]);

  const { data, error, isPending } = useQuery({
    queryKey: queryKeys.chat(chatId ?? ''),
    queryFn: () =>
      readChat(client, chatId ?? '', queries.getQueryData<ChatWithMessages>(queryKeys.chat(chatId ?? ''))),
    enabled: chatId !== null,
  });

  const stored = chatId === null ? undefined : data;
  // A chat that is there stays there, also while it cannot be read again.
  const failure = chatId === null || data !== undefined ? null : error;
  const tree = useMemo(
    () => buildTree(withMessages(stored?.messages ?? [], pending)),
    [stored?.messages, pending],
  );
  const leafId = pending.at(-1)?.id ?? stored?.chat.activeLeafId ?? null;
  const path = useMemo(() => pathTo(tree, leafId), [tree, leafId]);

  const changeStored = useCallback(
    (id: string, change: (now: ChatWithMessages) => ChatWithMessages) => {
      changeChat(queries, id, (now) => (now === undefined ? now : change(now)));
    },
    [queries],
  );

  useEffect(() => {
    if (stored === undefined) return;
    const { id } = stored.chat;
    for (const message of stored.messages) {
      if (message.state !== 'running') continue;
      liveAnswers.listen(message, {
        ended: (ended) =>
          changeStored(id, (now) => ({ ...now, messages: withMessages(now.messages, [ended]) })),
        lost: () => void queries.invalidateQueries({ queryKey: queryKeys.chat(id) }),
      });
    }
  }, [stored, liveAnswers, changeStored, queries]);

  const patches = useRef({ last: Promise.resolve(), count: 0 });
  const earlier = useEarlierPages(stored);
  const settings: AnswerSettings = stored?.chat ?? draft.settings;

  async function ask(
    parentId: string | null,
    newMessages: readonly NewMessage[],
    { model = settings.model, attached = [], seed, requestKey = randomId() }: AskOptions = {},
  ): Promise<boolean> {
    setPending(pendingBelow(parentId, newMessages, model, attached));
    try {
      const known = await modelsNow();
      const first = defaultModel(modelsIn(space, known));
      const body = {
        chatId,
        parentId,
        newMessages: withDocuments(newMessages, attached),
        requestKey,
        ...(chatId === null && projectId !== undefined && { projectId }),
        ...(seed !== undefined && { seed }),
        ...askedSettings({ ...settings, model: model === '' ? first : model }, known),
      };
      const answer = await whileAsking(() =>
        insist(() => client.call('POST /console/generations', { body })),
      );
      noteStarted(queries, liveAnswers, answer);
      if (chatId === null) {
        onCreated(answer.chat.id);
        // The next new chat begins with the person's preferences again.
        draft.resetSettings();
      }
      setPending([]);
      return true;
    } catch (failure) {
      setPending([]);
      notices.complain(failureSentence(failure, words));
      return false;
    }
  }

  /** Shows the change at once and takes it back when the server says no. */
  /** One after the other: the last word counts, and what the service says to an earlier one is old already. */
  async function patch(change: Partial<AnswerSettings> & { readonly activeLeafId?: string }): Promise<void> {
    if (chatId === null) return;
    changeStored(chatId, (now) => ({ ...now, chat: { ...now.chat, ...change } }));
    const turn = (patches.current.count += 1);
    const answered = patches.current.last.then(() =>
      client.call('PATCH /console/chats/:chatId', { chatId, body: change }),
    );
    patches.current.last = answered.then(nothing, nothing);
    try {
      const chat = await answered;
      if (turn === patches.current.count) changeStored(chatId, (now) => ({ ...now, chat }));
    } catch (failure) {
      notices.complain(failureSentence(failure, words));
      void queries.invalidateQueries({ queryKey: queryKeys.chat(chatId) });
    }
  }

  async function remove(message: Message): Promise<void> {
    if (chatId === null) return;
    try {
      await client.call('DELETE /console/chats/:chatId/messages/:messageId', {
        chatId,
        messageId: message.id,
      });
      await queries.invalidateQueries({ queryKey: queryKeys.chat(chatId) });
      notices.tell(words.chat.messageDeleted, () => void restore(message.id));
    } catch (failure) {
      notices.complain(failureSentence(failure, words));
    }
  }

  async function restore(messageId: string): Promise<void> {
    if (chatId === null) return;
    try {
      const restored = await client.call('POST /console/chats/:chatId/messages/:messageId/restore', {
        chatId,
        messageId,
      });
      // A page that shows more than the end of the chat reads it again as a whole.
      if (restored.earlierCursor === undefined) changeChat(queries, chatId, () => restored);
      else await queries.invalidateQueries({ queryKey: queryKeys.chat(chatId) });
    } catch (failure) {
      notices.complain(failureSentence(failure, words));
    }
  }

  const working = useWorkingWithAnswers(chatId, {
    changeStored,
    runAgain: (answer, seed) =>
      void ask(answer.parentId, [], { model: answer.model ?? settings.model, seed }),
  });
  const running = path.findLast((message) => message.state === 'running');
  const conversation: Conversation = {
    kind: chatId === null ? 'new' : 'stored',
    chatId,
    projectId: chatId === null ? projectId : undefined,
    title: stored?.chat.title ?? '',
    isPinned: stored?.chat.isPinned ?? false,
    isArchived: stored?.chat.isArchived ?? false,
    folderId: stored?.chat.folderId ?? null,
    tree,
    path,
    earlier,
    settings,
    running,
    changeSettings: (change) => (chatId === null ? draft.changeSettings(change) : void patch(change)),
    send: (messages, attached, requestKey) =>
      ask(path.at(-1)?.id ?? null, messages, { attached, requestKey }),
    edit: (message, content) =>
      ask(message.parentId, [{ role: 'user', content }], { attached: message.documents }),
    regenerate: (answer, model) => ask(answer.parentId, [], { model }),
    stop: () => stop(running),
    showBranch: (messageId) => void patch({ activeLeafId: newestLeaf(tree, messageId) ?? messageId }),
    remove: (message) => void remove(message),
    working,
  };
  return { conversation, isLoading: chatId !== null && isPending, failure };
}

interface AskOptions {
  readonly requestKey?: string | undefined;
  readonly seed?: number | undefined;
  readonly model?: string | undefined;
  readonly attached?: readonly AttachedDocument[] | undefined;
}

function nothing(): void {}
