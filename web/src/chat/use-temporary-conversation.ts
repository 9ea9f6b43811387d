import { useMemo, useState } from 'react';
import type { Message, NewMessage } from '#contract/messages';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { randomId } from '../client/random-id.ts';
import { useWords } from '../language/language.tsx';
import { nothingEarlier, pendingBelow, type Conversation } from './conversation.ts';
import { insist } from './insist.ts';
import { useLiveAnswers } from './live-answers-context.tsx';
import { buildTree, newestLeaf, pathTo, withMessages } from './message-tree.ts';
import { useStop } from './use-stop.ts';
import { askedSettings, useAnswerSettings } from './use-answer-settings.ts';
import { useDefaultModel, useModels, useModelsNow } from './use-models.ts';

/** A conversation that lives in this page and nowhere else; it is gone with the page. */
export function useTemporaryConversation(): Conversation {
  const client = useClient();
  const liveAnswers = useLiveAnswers();
  const { whileAsking, stop } = useStop();
  const notices = useNotices();
  const words = useWords();
  const models = useModels();
  const modelsNow = useModelsNow();
  const defaultModel = useDefaultModel();
  const { settings, changeSettings } = useAnswerSettings('temporary', models);
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const [leafId, setLeafId] = useState<string | null>(null);

  const tree = useMemo(() => buildTree(messages), [messages]);
  const path = useMemo(() => pathTo(tree, leafId), [tree, leafId]);

  async function ask(
    parentId: string | null,
    said: readonly NewMessage[],
    { model = settings.model, requestKey = randomId() }: AskOptions = {},
  ): Promise<boolean> {
    const before = parentId === null ? [] : pathTo(tree, parentId);
    const added = pendingBelow(parentId, said, model);
    const question = added.slice(0, -1);
    const waiting = added.at(-1);
    const answerParentId = question.at(-1)?.id ?? parentId;
    setMessages((now) => [...now, ...added]);
    setLeafId(waiting?.id ?? null);
    try {
      const known = await modelsNow();
      const sent = askedSettings({ ...settings, model: model === '' ? defaultModel(known) : model }, known);
      const body = {
        messages: [...before, ...question].map(({ role, content, toolCalls, toolCallId }) => ({
          role,
          content,
          toolCalls,
          toolCallId,
        })),
        requestKey,
        ...sent,
      };
      const { message } = await whileAsking(() =>
        insist(() => client.call('POST /console/generations/temporary', { body })),
      );
      const running: Message = { ...message, parentId: answerParentId };
      setMessages((now) => [...now.filter(({ id }) => id !== waiting?.id), running]);
      setLeafId(running.id);
      const keep = (ended: Message) =>
        setMessages((now) => withMessages(now, [{ ...ended, parentId: answerParentId }]));
      liveAnswers.listen(running, {
        ended: keep,
        lost: (last) => keep({ ...last, state: 'interrupted', generationId: null }),
      });
      return true;
    } catch (failure) {
      setMessages((now) => now.filter((message) => !added.includes(message)));
      setLeafId(parentId);
      notices.complain(failureSentence(failure, words));
      return false;
    }
  }

  const running = path.findLast((message) => message.state === 'running');
  return {
    kind: 'temporary',
    chatId: null,
    title: words.chat.temporary,
    isPinned: false,
    isArchived: false,
    folderId: null,
    tree,
    path,
    earlier: nothingEarlier,
    settings,
    changeSettings,
    running,
    send: (newMessages, _attached, requestKey) => ask(path.at(-1)?.id ?? null, newMessages, { requestKey }),
    edit: (message, content) => ask(message.parentId, [{ role: 'user', content }]),
    regenerate: (answer, model) => ask(answer.parentId, [], { model }),
    stop: () => stop(running),
    showBranch: (messageId) => setLeafId(newestLeaf(tree, messageId)),
    remove: (message) => {
      setMessages((now) => now.filter(({ id }) => id !== message.id));
      setLeafId(message.parentId);
    },
  };
}

interface AskOptions {
  readonly model?: string | undefined;
  readonly requestKey?: string | undefined;
}
