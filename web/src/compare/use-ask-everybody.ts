import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ChatWithMessages } from '#contract/chats';
import type { AttachedDocument } from '#contract/documents';
import type { NewMessage } from '#contract/messages';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { withDocuments } from '../chat/conversation.ts';
import { insist } from '../chat/insist.ts';
import { withMessages } from '../chat/message-tree.ts';
import { useClient } from '../client/client-context.tsx';
import { randomId } from '../client/random-id.ts';
import { useWords } from '../language/language.tsx';
import { changeChat, noteChat } from '../sidebar/chat-cache.ts';

/** Asks several models the same at once: each answer waits in the line and counts like any other. */
export function useAskEverybody() {
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const words = useWords();
  const [, goTo] = useLocation();
  const [isAsking, setIsAsking] = useState(false);

  /** Whether the question was taken. */
  async function askEverybody(
    { content, attached }: { readonly content: string; readonly attached: readonly AttachedDocument[] },
    models: readonly string[],
    isBlind: boolean,
  ): Promise<boolean> {
    const [first = '', ...others] = models;
    setIsAsking(true);
    try {
      const begun = await ask(
        { chatId: null, parentId: null, newMessages: withDocuments([{ role: 'user', content }], attached) },
        first,
      );
      const { id: chatId } = begun.chat;
      const parentId = begun.messages[0]?.id ?? null;
      keep(chatId, begun);
      noteChat(queries, begun.chat);
      // One that cannot be asked is told, and the others go on.
      const outcomes = await Promise.allSettled(
        others.map(async (model) => keep(chatId, await ask({ chatId, parentId, newMessages: [] }, model))),
      );
      const failed = outcomes.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') notices.complain(failureSentence(failed.reason, words));
      goTo(`/compare/${chatId}${isBlind ? '/blind' : ''}`);
      return true;
    } catch (failure) {
      notices.complain(failureSentence(failure, words));
      return false;
    } finally {
      setIsAsking(false);
    }
  }

  function ask(
    place: {
      readonly chatId: string | null;
      readonly parentId: string | null;
      readonly newMessages: NewMessage[];
    },
    model: string,
  ) {
    const body = { ...place, model, requestKey: randomId() };
    return insist(() => client.call('POST /console/generations', { body }));
  }

  function keep(chatId: string, { chat, messages }: Pick<ChatWithMessages, 'chat' | 'messages'>): void {
    changeChat(queries, chatId, (now) => ({
      ...now,
      chat,
      messages: withMessages(now?.messages ?? [], messages),
    }));
  }

  return { askEverybody, isAsking };
}
