import type { SentContext } from '#contract/context';
import type { Message } from '#contract/messages';
import { Button } from '../design/button.tsx';
import { useContextWords } from '../language/context-words.ts';
import { useWords } from '../language/language.tsx';
import type { Conversation } from './conversation.ts';
import { SummaryCard } from './summary-card.tsx';
import { useWhenFull } from './use-when-full.ts';

/** Where the model's view of the conversation began, as far as its last answer tells; 0 when it saw everything. */
export function viewBeginsAt(path: readonly Message[]): number {
  const beginsAt = lastContext(path)?.beginsAt;
  return beginsAt == null
    ? 0
    : Math.max(
        0,
        path.findIndex(({ id }) => id === beginsAt),
      );
}

interface ViewLineProps {
  readonly conversation: Conversation;
  /** The place of the first message that the model still sees. */
  readonly viewBegins: number;
}

/** Above the first message that the model still sees: what stands for those before, and how to have it otherwise. */
export function ViewLine({ conversation, viewBegins }: ViewLineProps) {
  const words = useWords();
  const own = useContextWords();
  const { whenFull, choose } = useWhenFull(conversation);
  const { path, chatId } = conversation;
  const summarised = path.slice(0, viewBegins).findLast(({ summary }) => summary != null);
  const hasFailed = typeof lastContext(path)?.summaryProblem === 'string';
  return (
    <>
      {summarised?.summary != null && chatId !== null && (
        <SummaryCard
          key={summarised.summary.text}
          chatId={chatId}
          messageId={summarised.id}
          summary={summarised.summary}
          leaveOut={() => choose('leaveOut')}
        />
      )}
      <div role="note" className="flex items-center gap-3 pt-8 text-sm text-wait">
        <span aria-hidden="true" className="h-px flex-1 bg-hairline" />
        <p className="max-w-[75%] text-center">
          {hasFailed && <span className="block">{own.summary.problem}</span>}
          {words.documents.context.viewBegins}
        </p>
        <span aria-hidden="true" className="h-px flex-1 bg-hairline" />
      </div>
      {summarised === undefined && chatId !== null && whenFull === 'leaveOut' && (
        <p className="pt-1 text-center">
          <Button kind="quiet" size="small" onClick={() => choose('summarise')}>
            {own.summary.summarise}
          </Button>
        </p>
      )}
    </>
  );
}

function lastContext(path: readonly Message[]): SentContext | null | undefined {
  return path.findLast(({ context }) => context !== null)?.context;
}
