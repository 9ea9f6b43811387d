import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChatWithMessages } from '#contract/chats';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { readEarlier, withEarlier } from './chat-pages.ts';
import { nothingEarlier, type EarlierMessages } from './conversation.ts';

/** The pages before what is there of a very long chat, one at a time. */
export function useEarlierPages(stored: ChatWithMessages | undefined): EarlierMessages {
  const client = useClient();
  const queries = useQueryClient();
  /** The page that is on its way, or that could not be had. */
  const [asked, setAsked] = useState<{ readonly cursor: string; readonly isFailed: boolean }>();
  const cursor = stored?.earlierCursor;
  if (stored === undefined || cursor === undefined) return nothingEarlier;
  const { chat } = stored;
  const isAsked = asked?.cursor === cursor;
  const load = async () => {
    if (isAsked && !asked.isFailed) return;
    setAsked({ cursor, isFailed: false });
    try {
      const read = await readEarlier(client, stored);
      queries.setQueryData<ChatWithMessages>(queryKeys.chat(chat.id), (now) =>
        now?.earlierCursor === cursor ? withEarlier(now, read) : now,
      );
    } catch {
      setAsked({ cursor, isFailed: true });
    }
  };
  return {
    state: !isAsked ? 'more' : asked.isFailed ? 'failed' : 'loading',
    load: () => void load(),
  };
}
