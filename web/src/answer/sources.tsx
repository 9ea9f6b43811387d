import { useState } from 'react';
import type { SentContext, Source } from '#contract/context';
import type { Message } from '#contract/messages';
import { useWords } from '../language/language.tsx';
import { citedNumbers } from './citations.tsx';
import { SentDialog } from './sent-dialog.tsx';
import { SourceLine } from './source-line.tsx';

/** Under an answer that rests on documents, or on a part of its conversation: what it cites, and all that the model was given. */
export function Sources({ message }: { readonly message: Message }) {
  const words = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const { context } = message;
  if (context === null || !hasSomething(context)) return null;
  const listed = listedSources(message, context);
  return (
    <section aria-label={words.documents.sources} className="mt-3 border-t border-hairline pt-2 text-sm">
      {listed.length > 0 && (
        <ol className="flex flex-col">
          {listed.map((source) => (
            <li key={source.number}>
              <SourceLine source={source} />
            </li>
          ))}
        </ol>
      )}
      <button
        type="button"
        className="mt-1 text-ink-faint transition-colors duration-150 hover:text-ink"
        onClick={() => setIsOpen(true)}
      >
        {words.documents.sent.show}
      </button>
      <SentDialog message={message} context={context} isOpen={isOpen} close={() => setIsOpen(false)} />
    </section>
  );
}

function hasSomething({ sources, pictures, leftOut, beginsAt, space }: SentContext): boolean {
  // Answers from before there were projects say nothing of them.
  if (beginsAt !== null || typeof space?.instructionsAt === 'number') return true;
  return sources.length + pictures.length + leftOut.length > 0;
}

/** Those that are cited; where none is, the passages that were found for the question. */
function listedSources({ content }: Message, { sources }: SentContext): readonly Source[] {
  const cited = citedNumbers(content);
  const named = sources.filter(({ number }) => cited.has(number));
  return named.length > 0 ? named : sources.filter(({ length }) => length !== null).slice(0, maxUncited);
}

const maxUncited = 6;
