import { namedFrame, type Translation } from '#dialects/translation';
import { messageId } from './answer-parts.ts';
import { chatPrompt, chatRequest } from './chat-request.ts';
import { MessageEvents } from './message-events.ts';
import { messageError } from './message-error.ts';
import { recallMessage } from './recall-message.ts';
import { wholeMessage } from './whole-message.ts';

/** Anthropic's Messages, for every engine that chats. */
export const messagesTranslation: Translation = {
  endpoint: 'chat/completions',
  read(body, model) {
    const asked = chatRequest(body, model);
    return {
      chat: asked.chat,
      ignored: asked.ignored,
      answer({ requestId }) {
        const id = messageId(requestId);
        const events = new MessageEvents(asked, { id, model: model.id });
        return {
          begin: () => '',
          chunk: (chunk) => events.chunk(chunk),
          ping: () => events.ping(),
          get heldBytes() {
            return events.heldBytes;
          },
          end: () => events.end(),
          fail: (error) => events.fail(error),
          whole: (answer) => wholeMessage(answer, id, asked),
        };
      },
    };
  },
  recall: recallMessage,
  isLast: ({ type }) => type === 'message_stop' || type === 'error',
  failAfter: (_events, error) => namedFrame(messageError(error)),
  errorBody: messageError,
};

/** How long a prompt is, for every engine that tokenizes messages. */
export const countTokensTranslation: Translation = {
  endpoint: 'tokenize',
  read(body) {
    return {
      chat: chatPrompt(body),
      ignored: [],
      answer: () => ({
        begin: () => '',
        chunk: () => '',
        end: () => '',
        fail: () => '',
        // The first is what an engine says that speaks the dialect itself.
        whole({ input_tokens: told, count }) {
          const tokens = told ?? count;
          return typeof tokens === 'number' ? { input_tokens: tokens } : undefined;
        },
      }),
    };
  },
  errorBody: messageError,
};
