import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Message } from '#contract/messages';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { PageFrame } from '../app/page-frame.tsx';
import { useStoredConversation } from '../chat/use-stored-conversation.ts';
import type { Conversation } from '../chat/conversation.ts';
import { useClient } from '../client/client-context.tsx';
import { Button, buttonClasses } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { Icon } from '../design/icon.tsx';
import { DocumentChips } from '../documents/document-chips.tsx';
import { useCompareWords } from '../language/compare-words.ts';
import { useWords } from '../language/language.tsx';
import { CompareForm } from './compare-form.tsx';
import { ComparedAnswer } from './compared-answer.tsx';
import { comparisonAsCsv } from './comparison-as-csv.ts';

interface ComparePageProps {
  /** Null before the question is asked. */
  readonly chatId: string | null;
  /** The names of the models are hidden until somebody has voted. */
  readonly isBlind: boolean;
}

/** One question, answered by several models side by side. It is a chat whose first question has several answers. */
export function ComparePage({ chatId, isBlind }: ComparePageProps) {
  const words = useCompareWords();
  const { conversation, failure } = useStoredConversation(chatId, noChatIsMade);
  return (
    <PageFrame title={words.title} lead={words.lead} width="table">
      {chatId === null && <CompareForm />}
      {failure !== null && <Failure failure={failure} />}
      {chatId !== null && failure === null && (
        <Comparison chatId={chatId} conversation={conversation} isBlind={isBlind} />
      )}
    </PageFrame>
  );
}

function noChatIsMade(): void {}

interface ComparisonProps {
  readonly chatId: string;
  readonly conversation: Conversation;
  readonly isBlind: boolean;
}

function Comparison({ chatId, conversation, isBlind }: ComparisonProps) {
  const allWords = useWords();
  const words = useCompareWords();
  const client = useClient();
  const notices = useNotices();
  const [, goTo] = useLocation();
  const [isVoting, setIsVoting] = useState(isBlind);
  const { tree } = conversation;
  const question = tree.childrenOf.get(null)?.[0];
  if (question === undefined) return null;
  const all = (tree.childrenOf.get(question.id) ?? []).filter(({ role }) => role === 'assistant');
  const answers = isBlind ? all.toSorted(byChance) : all;
  const running = answers.flatMap(({ state, generationId }) =>
    state === 'running' && generationId !== null ? [generationId] : [],
  );
  const isOver = running.length === 0;
  const stop = () =>
    Promise.all(
      running.map((generationId) =>
        client.call('POST /console/generations/:generationId/stop', { generationId }),
      ),
    ).catch((failure: unknown) => notices.complain(failureSentence(failure, allWords)));
  const vote = (answer: Message) => {
    conversation.working?.judge(answer, { verdict: 'good', word: null });
    setIsVoting(false);
  };
  return (
    <>
      <div className="flex">
        <DocumentChips documents={question.documents} />
      </div>
      <p data-question className="rounded-2xl bg-question px-4 py-3 whitespace-pre-wrap" dir="auto">
        {question.content}
      </p>
      {isVoting && <p className="mt-4 text-[0.9375rem] text-ink-soft">{words.blindHint}</p>}
      <ol
        className={`mt-5 grid gap-4 ${columns[Math.min(answers.length, 4)] ?? ''}`}
        aria-label={words.answers}
      >
        {answers.map((answer, index) => (
          <ComparedAnswer
            key={answer.id}
            message={answer}
            letter={String.fromCodePoint(0x41 + index)}
            isHidden={isVoting}
            vote={isVoting ? () => vote(answer) : undefined}
            goOn={() => {
              conversation.showBranch(answer.id);
              if (answer.model !== null) conversation.changeSettings({ model: answer.model });
              goTo(`/chat/${chatId}`);
            }}
          />
        ))}
      </ol>
      <div className="mt-6 flex flex-wrap gap-2">
        {!isOver && <Button onClick={() => void stop()}>{words.stop}</Button>}
        <Button onClick={() => goTo('/compare')}>{words.another}</Button>
        {isOver && !isVoting && (
          <a
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(comparisonAsCsv(question, answers))}`}
            download="comparison.csv"
            className={buttonClasses('plain')}
          >
            <Icon name="download" size={16} />
            {words.export}
          </a>
        )}
        {isVoting && isOver && (
          <Button kind="quiet" onClick={() => setIsVoting(false)}>
            {words.reveal}
          </Button>
        )}
      </div>
    </>
  );
}

/** Beside each other where there is room. */
const columns: Readonly<Record<number, string>> = {
  2: 'md:grid-cols-2',
  3: 'md:grid-cols-2 xl:grid-cols-3',
  4: 'md:grid-cols-2 2xl:grid-cols-4',
};

/** The ends of ids are random: an order that says nothing of who was asked first, and stays. */
function byChance(one: Message, other: Message): number {
  return one.id.slice(-8) < other.id.slice(-8) ? -1 : 1;
}
