import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { AnswerBody } from '../answer/answer-body.tsx';
import { ToolResult } from '../answer/tool-result.tsx';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { PageFrame } from '../app/page-frame.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { useLanguageTag, useWords } from '../language/language.tsx';
import type { Message } from '#contract/messages';

/** A chat somebody else opened for reading. */
export function SharedChatPage({ shareId }: { readonly shareId: string }) {
  const words = useWords();
  const tag = useLanguageTag();
  const client = useClient();
  const notices = useNotices();
  const [, goTo] = useLocation();
  const { data, error } = useQuery({
    queryKey: queryKeys.shared(shareId),
    queryFn: () => client.call('GET /console/shared/:shareId', { shareId }),
  });
  const copy = useMutation({
    mutationFn: () => client.call('POST /console/shared/:shareId/copy', { shareId }),
    onSuccess: (chat) => goTo(`/chat/${chat.id}`),
    onError: (failure) => notices.complain(failureSentence(failure, words)),
  });
  if (error !== null) {
    return (
      <main className="flex h-full">
        <Failure failure={error} />
      </main>
    );
  }
  if (data === undefined) return null;
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'long' }).format(data.sharedAt);
  return (
    <PageFrame
      title={data.title}
      lead={data.isOwn ? words.share.byYou(date) : words.share.by(data.sharedBy, date)}
      actions={
        <Button disabled={copy.isPending} onClick={() => copy.mutate()}>
          {words.share.continue}
        </Button>
      }
    >
      <ol aria-label={words.chat.messages} className="-mt-2">
        {data.messages.map((message) => (
          <li key={message.id}>
            <SharedMessage message={message} />
          </li>
        ))}
      </ol>
    </PageFrame>
  );
}

function SharedMessage({ message }: { readonly message: Message }) {
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
