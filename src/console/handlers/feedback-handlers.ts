import type { feedbackRoutes } from '#contract/feedback';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { writeCsv } from '../write-csv.ts';

export function createFeedbackHandlers({
  conversations,
  countFeedback,
}: ConsoleParts): HandlersOf<typeof feedbackRoutes> {
  return {
    'PUT /console/chats/:chatId/messages/:messageId/feedback': async ({ session, parameters, body }) => {
      const { chatId, messageId } = parameters;
      await conversations.chats.judge(session.person.id, chatId, messageId, body.feedback);
      return { done: true };
    },
    'GET /console/administration/feedback': async () => ({ counts: await countFeedback() }),
    'GET /console/administration/feedback/export': async () => ({
      fileName: 'feedback.csv',
      contentType: 'text/csv; charset=utf-8',
      content: writeCsv([
        ['model', 'verdict', 'word', 'answers'],
        ...(await countFeedback()).map(({ model, verdict, word, count }) => [
          model,
          verdict,
          word ?? '',
          count,
        ]),
      ]),
    }),
  };
}
