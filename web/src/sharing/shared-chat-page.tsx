import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { PageFrame } from '../app/page-frame.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { SharedMessage } from './shared-message.tsx';
import { useLanguageTag, useWords } from '../language/language.tsx';

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
