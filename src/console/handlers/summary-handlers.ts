import type { summaryRoutes } from '#contract/summaries';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';

export function createSummaryHandlers({ conversations }: ConsoleParts): HandlersOf<typeof summaryRoutes> {
  const { chats } = conversations;
  return {
    'PUT /console/chats/:chatId/messages/:messageId/summary': ({ session, parameters, body }) =>
      chats.editSummary(session.person.id, parameters.chatId, parameters.messageId, body.text),

    'DELETE /console/chats/:chatId/messages/:messageId/summary': async ({ session, parameters }) => {
      await chats.removeSummary(session.person.id, parameters.chatId, parameters.messageId);
      return { done: true };
    },
  };
}
