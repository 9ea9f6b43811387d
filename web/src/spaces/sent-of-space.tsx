import type { SentOfSpace } from '#contract/context';
import { useSpacesWords } from '../language/spaces-words.ts';
import { useSpace, useSpaces } from './use-spaces.ts';
import { useListed } from '../language/language.tsx';

/** In "What was sent": what the project of the chat gave to an answer. */
export function SentOfSpaceLines({ given }: { readonly given: SentOfSpace }) {
  const { sent } = useSpacesWords();
  const listed = useListed();
  const name = useSpaces().find(({ projectId }) => projectId === given.projectId)?.name ?? given.projectId;
  return (
    <>
      {given.instructionsAt !== null && (
        <Instructions projectId={given.projectId} name={name} writtenAt={given.instructionsAt} />
      )}
      {given.documents.length > 0 && (
        <p className="mt-4 text-[0.9375rem]">
          <span className="font-[600]">{sent.documents(name)}</span>{' '}
          <span dir="auto">{listed(given.documents.map((document) => document.name))}</span>
        </p>
      )}
    </>
  );
}

interface InstructionsProps {
  readonly projectId: string;
  readonly name: string;
  readonly writtenAt: number;
}

/** They are read where they stand: whoever is no member sees that there were some, and no word of them. */
function Instructions({ projectId, name, writtenAt }: InstructionsProps) {
  const { sent } = useSpacesWords();
  const { data: space, error } = useSpace(projectId);
  if (space === undefined && error === null) return null;
  const isSame = space?.instructionsChangedAt === writtenAt;
  const said =
    space === undefined ? sent.hidden(name) : isSame ? sent.instructions(name) : sent.changed(name);
  return (
    <>
      <p className="mt-4 text-[0.9375rem] text-ink-soft">{said}</p>
      {space !== undefined && isSame && (
        <blockquote
          dir="auto"
          tabIndex={0}
          aria-label={said}
          className="mt-2 max-h-48 overflow-y-auto rounded-lg bg-sunken px-3 py-2 text-sm whitespace-pre-wrap"
        >
          {space.instructions}
        </blockquote>
      )}
    </>
  );
}
