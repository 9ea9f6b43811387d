import type { Message } from '#contract/messages';
import { AnswerBody } from '../answer/answer-body.tsx';
import { ToolResult } from '../answer/tool-result.tsx';
import { useWords } from '../language/language.tsx';

/** One message of a chat that somebody else lets one read. */
export function SharedMessage({ message }: { readonly message: Message }) {
  const words = useWords();
  switch (message.role) {
    case 'user':
      return (
        <article aria-label={words.share.question} className="flex justify-end pt-6">
          <div
            dir="auto"
            className="max-w-[85%] rounded-2xl rounded-ee-md bg-question px-4 py-2.5 text-[1.0625rem] leading-[1.55] break-words whitespace-pre-wrap"
          >
            {message.content}
          </div>
        </article>
      );
    case 'assistant':
      return (
        <article aria-label={words.chat.answerBy(message.model ?? '')} className="pt-6">
          <AnswerBody message={message} phase="answering" place={null} isReconnecting={false} />
          <p className="mt-2 text-sm text-ink-faint">{message.model}</p>
        </article>
      );
    case 'tool':
      return <ToolResult message={message} />;
  }
}
