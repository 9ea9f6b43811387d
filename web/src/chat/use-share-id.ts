import { useQuery } from '@tanstack/react-query';
import type { ChatWithMessages } from '#contract/chats';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';

/** Null when the chat has no open link. */
export function useShareId(chatId: string): string | null {
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.chat(chatId),
    queryFn: () => client.call('GET /console/chats/:chatId', { chatId }),
    select: (stored: ChatWithMessages) => stored.chat.shareId,
  });
  return data ?? null;
}
