import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ChatWithMessages } from '#contract/chats';
import type { PersonEvent } from '#contract/generations';
import type { Message } from '#contract/messages';
import { useLiveAnswers } from '../chat/live-answers-context.tsx';
import { withMessages } from '../chat/message-tree.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { listenToPerson } from '../events/person-stream.ts';
import { useWords } from '../language/language.tsx';
import { tellAnswer } from '../notify/tell-answer.ts';
import { changeChat, forgetChat, noteChat, noteFolders } from '../sidebar/chat-cache.ts';
import { useSession } from './session.tsx';

/** What happens to this person's chats and answers, in this window and in all others. */
export function usePersonEvents(): { readonly isReachable: boolean } {
  const client = useClient();
  const queries = useQueryClient();
  const liveAnswers = useLiveAnswers();
  const personId = useSession().person.id;
  const [isReachable, setIsReachable] = useState(true);
  const words = useWords().notify;
  const wordsNow = useRef(words);
  useEffect(() => {
    wordsNow.current = words;
  }, [words]);
  useEffect(() => {
    let alarm: ReturnType<typeof setTimeout> | undefined;
    let hasListened = false;
    const stopListening = listenToPerson(personId, client.address('GET /console/events', {}), {
      arrived(event) {
        liveAnswers.receive(event);
        if (event.type === 'hello') {
          clearTimeout(alarm);
          alarm = undefined;
          setIsReachable(true);
          // What happened in a gap is not told again; the first time there was none.
          if (hasListened) refresh(queries);
          hasListened = true;
        } else {
          receive(queries, event);
          if (event.type === 'generationEnded') void tellAnswer(event, queries, wordsNow.current);
        }
      },
      lost(isRefused) {
        liveAnswers.noteLost();
        // A connection that is back in a moment is not worth a word.
        alarm ??= setTimeout(() => setIsReachable(false), bearableGapMs);
        if (isRefused) void queries.invalidateQueries({ queryKey: queryKeys.session });
      },
    });
    return () => {
      clearTimeout(alarm);
      stopListening();
    };
  }, [client, queries, liveAnswers, personId]);
  return { isReachable };
}

const bearableGapMs = 2000;

function refresh(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: queryKeys.chats });
  void queries.invalidateQueries({ queryKey: ['chat'] });
  void queries.invalidateQueries({ queryKey: ['space'] });
}

/** Whoever looks at the end of that branch goes along to the new end. */
function addMessages(queries: QueryClient, chatId: string, messages: readonly Message[]): void {
  changeChat(queries, chatId, (now) => {
    if (now === undefined) return now;
    const isAtEnd = now.chat.activeLeafId === messages[0]?.parentId;
    const activeLeafId = isAtEnd ? (messages.at(-1)?.id ?? null) : now.chat.activeLeafId;
    return { ...now, chat: { ...now.chat, activeLeafId }, messages: withMessages(now.messages, messages) };
  });
}

function receive(queries: QueryClient, event: Exclude<PersonEvent, { type: 'hello' }>): void {
  switch (event.type) {
    case 'answer':
      return;
    case 'chatChanged':
      noteChat(queries, event.chat);
      return;
    case 'messagesAdded':
      addMessages(queries, event.chatId, event.messages);
      return;
    case 'chatRemoved':
      forgetChat(queries, event.chatId);
      return;
    case 'chatsChanged':
      void queries.invalidateQueries({ queryKey: queryKeys.chats });
      return;
    case 'foldersChanged':
      noteFolders(queries, event.folders);
      return;
    case 'spaceChanged':
      void queries.invalidateQueries({ queryKey: queryKeys.space(event.projectId) });
      void queries.invalidateQueries({ queryKey: queryKeys.presets });
      return;
    case 'spaceLeft':
      // Nothing of it stays on the screen: whatever shows it asks again, and hears that there is none.
      void queries.resetQueries({ queryKey: queryKeys.space(event.projectId) });
      void queries.resetQueries({ queryKey: queryKeys.presets });
      void queries.invalidateQueries({ queryKey: queryKeys.spaces });
      void queries.invalidateQueries({ queryKey: queryKeys.standing });
      void queries.invalidateQueries({ queryKey: ['chat'] });
      return;
    case 'generationStarted':
    case 'generationEnded': {
      const { chatId, messageId } = event.generation;
      if (chatId === null) return;
      const known = queries.getQueryData<ChatWithMessages>(queryKeys.chat(chatId));
      const message = known?.messages.find(({ id }) => id === messageId);
      // The window that asked knows already, and the one that listens hears the end by itself.
      const isNews =
        event.type === 'generationStarted' ? message?.state !== 'running' : message === undefined;
      if (known !== undefined && isNews) void queries.invalidateQueries({ queryKey: queryKeys.chat(chatId) });
      return;
    }
    case 'sessionEnded':
      void queries.invalidateQueries({ queryKey: queryKeys.session });
  }
}
