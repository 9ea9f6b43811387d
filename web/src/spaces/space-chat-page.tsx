import { useMutation, useQuery } from '@tanstack/react-query';
import type { Message } from '#contract/messages';
import { Link, useLocation } from 'wouter';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { PageFrame } from '../app/page-frame.tsx';
import type { LiveAnswer } from '../chat/live-answers.ts';
import { useLiveAnswer, useLiveAnswers } from '../chat/live-answers-context.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button, buttonClasses } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { useWords } from '../language/language.tsx';
import { useSpacesWords } from '../language/spaces-words.ts';
import { SharedMessage } from '../sharing/shared-message.tsx';
import { spaceAddress } from './space-line.tsx';

interface SpaceChatPageProps {
  readonly projectId: string;
  readonly chatId: string;
}

/** News and answers come by events. This is for a window that hears none. */
const unheardMs = 1500;
const otherwiseMs = 60_000;

/** A chat that a member of the project shares, as it is now. */
export function SpaceChatPage({ projectId, chatId }: SpaceChatPageProps) {
  const words = useSpacesWords();
  const general = useWords();
  const client = useClient();
  const notices = useNotices();
  const liveAnswers = useLiveAnswers();
  const [, goTo] = useLocation();
  const { data, error } = useQuery({
    queryKey: queryKeys.spaceChat(projectId, chatId),
    queryFn: () => client.call('GET /console/spaces/:projectId/chats/:chatId', { projectId, chatId }),
    refetchInterval: ({ state }) => {
      const last = state.data?.messages.at(-1);
      return last?.state !== 'running' || isHeard(liveAnswers.read(last.generationId))
        ? otherwiseMs
        : unheardMs;
    },
  });
  const copy = useMutation({
    mutationFn: () =>
      client.call('POST /console/spaces/:projectId/chats/:chatId/copy', { projectId, chatId }),
    onSuccess: (chat) => goTo(`/chat/${chat.id}`),
    onError: (failure) => notices.complain(failureSentence(failure, general)),
  });
  if (error !== null)
    return (
      <main className="flex h-full">
        <Failure failure={error} />
      </main>
    );
  if (data === undefined) return null;
  const isWriting = data.messages.at(-1)?.state === 'running';
  return (
    <PageFrame
      title={data.title}
      lead={
        <>
          <Link href={spaceAddress(projectId)} className="underline underline-offset-3 hover:text-ink">
            {data.isOwn ? words.yours(data.projectName) : words.reader(data.sharedBy, data.projectName)}
          </Link>
          <span role="status">{isWriting && ` · ${words.live}`}</span>
        </>
      }
      actions={
        data.isOwn ? (
          <Link href={`/chat/${chatId}`} className={buttonClasses('plain', 'medium')}>
            {words.open}
          </Link>
        ) : (
          <Button kind="primary" disabled={copy.isPending} onClick={() => copy.mutate()}>
            {words.goOn}
          </Button>
        )
      }
    >
      <ol aria-label={general.chat.messages} className="-mt-2">
        {data.messages.map((message) => (
          <li key={message.id}>
            <LiveMessage message={message} />
          </li>
        ))}
      </ol>
    </PageFrame>
  );
}

function LiveMessage({ message }: { readonly message: Message }) {
  return <SharedMessage message={useLiveAnswer(message)?.message ?? message} />;
}

function isHeard(answer: LiveAnswer | undefined): boolean {
  return answer !== undefined && !answer.isReconnecting;
}
