import { Icon } from '../design/icon.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useWords } from '../language/language.tsx';
import type { QuestionQueue } from './use-question-queue.ts';

interface QueuedQuestionsProps {
  readonly queue: QuestionQueue;
  /** Nothing is being written: they wait for a click. */
  readonly mayGo: boolean;
}

/** What is asked next, in order, and how to take it back. */
export function QueuedQuestions({ queue, mayGo }: QueuedQuestionsProps) {
  const words = useWords();
  if (queue.questions.length === 0) return null;
  return (
    <ol aria-label={words.composer.queued} className="border-b border-hairline py-1.5">
      {queue.questions.map(({ id, content }) => (
        <li key={id} className="flex items-center gap-2.5 ps-4 pe-2 text-[0.9375rem] text-ink-soft">
          <span className="text-wait">
            <Icon name="clock" size={15} />
          </span>
          <span dir="auto" className="min-w-0 flex-1 truncate">
            {content}
          </span>
          {mayGo && (
            <IconButton
              icon="arrowUp"
              size="small"
              label={words.composer.sendNow}
              onClick={() => queue.sendNow(id)}
            />
          )}
          <IconButton
            icon="close"
            size="small"
            label={words.composer.removeQueued}
            onClick={() => queue.remove(id)}
          />
        </li>
      ))}
    </ol>
  );
}
