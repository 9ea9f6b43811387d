import type { ChatError, Translation } from '#dialects/translation';
import { failedAfter, isLastEvent, recallResponse } from './recall-response.ts';
import { readQuestion } from './read-question.ts';
import { responseFrame } from './response-frame.ts';
import { ResponseWriter } from './response-writer.ts';

/** OpenAI's Responses, for engines that speak chat completions only. What becomes of each field: docs/dialects.md. */
export const responsesTranslation: Translation = {
  endpoint: 'chat/completions',
  read(body, model) {
    const { chat, ignored, renamedTools } = readQuestion(body, model);
    return {
      chat,
      ignored,
      answer(facts) {
        const frame = responseFrame(body, model.id, facts);
        facts.observer?.accepted(frame);
        return new ResponseWriter(frame, facts, renamedTools);
      },
    };
  },
  recall: recallResponse,
  isLast: isLastEvent,
  failAfter: failedAfter,
  errorBody: (error) => ({ error: inOwnWords(error) }),
};

/** The question is called otherwise here. */
function inOwnWords(error: ChatError): ChatError {
  return error.param === 'messages' ? { ...error, param: 'input' } : error;
}
