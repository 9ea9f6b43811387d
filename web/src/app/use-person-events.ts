import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ChatWithMessages } from '#contract/chats';
import type { PersonEvent } from '#contract/generations';
import { useClient } from '../client/client-context.tsx';
import { listenToEvents } from '../client/event-stream.ts';
import { queryKeys } from '../client/query-keys.ts';
import { forgetChat, noteChat } from '../sidebar/chat-cache.ts';

/**
 * What happens in this person's other windows. A hidden window does not listen: browsers allow few connections
 * to one host, and a window that comes back reads its lists again.
 */
export function usePersonEvents(): { readonly isReachable: boolean } {
  const client = useClient();
  const queries = useQueryClient();
  const [isReachable, setIsReachable] = useState(true);
  useEffect(() => {
    let stopListening: (() => void) | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let alarm: ReturnType<typeof setTimeout> | undefined;
    let hasListened = false;
    // A connection that is back in a moment is not worth a word.
    const noteLost = () => {
      alarm ??= setTimeout(() => setIsReachable(false), bearableGapMs);
    };
    const noteFound = () => {
      clearTimeout(alarm);
      alarm = undefined;
      setIsReachable(true);
    };
    const listen = () => {
      stopListening?.();
      stopListening = listenToEvents<PersonEvent>(client.address('GET /console/events', {}), eventTypes, {
        arrived: (event) => receive(queries, event),
        interrupted: noteLost,
        resumed: () => {
          noteFound();
          // What happened in a gap is not told again; the first time there was none.
          if (hasListened) refresh(queries);
          hasListened = true;
        },
        refused: () => {
          noteLost();
          void queries.invalidateQueries({ queryKey: queryKeys.session });
          retry = setTimeout(listen, listenAgainMs);
        },
      });
    };
    const onVisibility = () => {
      clearTimeout(retry);
      clearTimeout(alarm);
      alarm = undefined;
      if (document.visibilityState === 'visible') listen();
      else stopListening?.();
    };
    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      clearTimeout(retry);
      clearTimeout(alarm);
      stopListening?.();
    };
  }, [client, queries]);
  return { isReachable };
}

const bearableGapMs = 2000;
const listenAgainMs = 5000;

const eventTypes = [
  'hello',
  'chatChanged',
  'chatRemoved',
  'generationStarted',
  'generationEnded',
  'sessionEnded',
] as const;

function refresh(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: queryKeys.chats });
  void queries.invalidateQueries({ queryKey: ['chat'] });
}

function receive(queries: QueryClient, event: PersonEvent): void {
  switch (event.type) {
    case 'hello':
      return;
    case 'chatChanged':
      noteChat(queries, event.chat);
      return;
    case 'chatRemoved':
      forgetChat(queries, event.chatId);
      return;
    case 'generationStarted':
    case 'generationEnded': {
      const { chatId, messageId } = event.generation;
      if (chatId === null) return;
      const known = queries.getQueryData<ChatWithMessages>(queryKeys.chat(chatId));
      const message = known?.messages.find(({ id }) => id === messageId);
      // The window that asked knows already, and the one that listens hears the end by itself.
      const isNews =
        event.type === 'generationStarted' ? message === undefined : message?.state !== 'running';
      if (known !== undefined && isNews) void queries.invalidateQueries({ queryKey: queryKeys.chat(chatId) });
      return;
    }
    case 'sessionEnded':
      void queries.invalidateQueries({ queryKey: queryKeys.session });
  }
}
