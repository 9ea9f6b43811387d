import type { MeaningOutcome, NamedDocument, SentContext, Source } from '#contract/context';
import type { Message } from '#contract/messages';
import { ContextBars } from '../composer/context-bars.tsx';
import { Dialog } from '../design/dialog.tsx';
import { useContextWords } from '../language/context-words.ts';
import { useListed, useWords } from '../language/language.tsx';
import { SentOfSpaceLines } from '../spaces/sent-of-space.tsx';
import { SourceLine } from './source-line.tsx';

interface SentDialogProps {
  readonly message: Message;
  readonly context: SentContext;
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** Everything that went to the model for one answer. */
export function SentDialog({ context, isOpen, close }: SentDialogProps) {
  const words = useWords();
  const own = useContextWords();
  const { sent } = words.documents;
  // Answers from before there were any say nothing of it.
  const hasSummary = typeof context.summary === 'string';
  const passages = context.sources.filter(({ length }) => length !== null);
  const pages = context.sources.filter(({ length }) => length === null);
  return (
    <Dialog isOpen={isOpen} close={close} title={sent.title} description={sent.explained} isWide>
      <ContextBars parts={context.parts} />
      <p className="mt-4 text-[0.9375rem] text-ink-soft">
        {context.beginsAt === null ? sent.allMessages : hasSummary ? own.summary.sent : sent.beganLater}
      </p>
      {hasSummary && (
        <blockquote
          dir="auto"
          tabIndex={0}
          aria-label={own.summary.title}
          className="mt-2 max-h-48 overflow-y-auto rounded-lg bg-sunken px-3 py-2 text-sm whitespace-pre-wrap"
        >
          {context.summary}
        </blockquote>
      )}
      {/* Answers from before there were projects say nothing of it. */}
      {context.space != null && <SentOfSpaceLines given={context.space} />}
      {passages.length > 0 && (
        <SourceGroup title={words.documents.sources} sources={passages} close={close} />
      )}
      {passages.length > 0 && isToldOf(context.byMeaning) && (
        <p className="mt-1 text-sm text-ink-soft">{own.byMeaning[context.byMeaning]}</p>
      )}
      <Names title={sent.pictures} documents={context.pictures} />
      <Names title={sent.leftOut} documents={context.leftOut} />
      {pages.length > 0 && <SourceGroup title={sent.wholePages} sources={pages} close={close} />}
    </Dialog>
  );
}

/** Where there is no search by meaning, nobody misses it; answers from before it say nothing. */
function isToldOf(outcome: MeaningOutcome | undefined): outcome is 'searched' | 'failed' {
  return outcome === 'searched' || outcome === 'failed';
}

interface SourceGroupProps {
  readonly title: string;
  readonly sources: readonly Source[];
  readonly close: () => void;
}

function SourceGroup({ title, sources, close }: SourceGroupProps) {
  return (
    <>
      <h3 className="mt-4 mb-1 text-[0.9375rem] font-[600]">{title}</h3>
      {/* What is opened stands beside the chat, not behind this plate. */}
      <ol className="max-h-64 overflow-y-auto text-sm" tabIndex={0} aria-label={title} onClick={close}>
        {sources.map((source) => (
          <li key={source.number}>
            <SourceLine source={source} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Names({
  title,
  documents,
}: {
  readonly title: string;
  readonly documents: readonly NamedDocument[];
}) {
  const listed = useListed();
  if (documents.length === 0) return null;
  return (
    <p className="mt-4 text-[0.9375rem]">
      <span className="font-[600]">{title}</span>{' '}
      <span dir="auto">{listed(documents.map(({ name }) => name))}</span>
    </p>
  );
}
