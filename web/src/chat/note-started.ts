import type { QueryClient } from '@tanstack/react-query';
import type { ResponseOf } from '#contract/routes';
import { queryKeys } from '../client/query-keys.ts';
import { changeChat, noteChat } from '../sidebar/chat-cache.ts';
import type { LiveAnswers } from './live-answers.ts';
import { withMessages } from './message-tree.ts';

/** A question that the service took, and its answer that has begun, where this window keeps chats. */
export function noteStarted(
  queries: QueryClient,
  liveAnswers: LiveAnswers,
  { chat, messages }: ResponseOf<'POST /console/generations'>,
): void {
  changeChat(queries, chat.id, (now) => ({
    ...now,
    chat: { ...chat, activeLeafId: messages.at(-1)?.id ?? chat.activeLeafId },
    messages: withMessages(now?.messages ?? [], messages),
  }));
  // An answer that was quicker than this reply may have gone on to tools already.
  if (liveAnswers.wasExtended(chat.id)) void queries.invalidateQueries({ queryKey: queryKeys.chat(chat.id) });
  noteChat(queries, chat);
}
