import { Link } from 'wouter';
import type { Space } from '#contract/spaces';
import { PageFrame } from '../app/page-frame.tsx';
import { buttonClasses } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { Section } from '../design/section.tsx';
import { useLanguageTag } from '../language/language.tsx';
import { useSpacesWords } from '../language/spaces-words.ts';
import { LimitLine } from '../standing/limit-line.tsx';
import { useStanding } from '../standing/use-standing.ts';
import { SpaceChats } from './space-chats.tsx';
import { SpaceDocuments } from './space-documents.tsx';
import { SpaceInstructions } from './space-instructions.tsx';
import { SpacePresets } from './space-presets.tsx';
import { useSpace } from './use-spaces.ts';

/** `/spaces/:projectId`: what the members of a project have together. */
export function SpacePage({ projectId }: { readonly projectId: string }) {
  const words = useSpacesWords();
  const names = new Intl.ListFormat(useLanguageTag());
  const { data: space, error, refetch } = useSpace(projectId);
  if (error !== null)
    return (
      <main className="flex h-full">
        <Failure failure={error} retry={() => void refetch()} />
      </main>
    );
  if (space === undefined) return null;
  const isOpen = space.role !== null && !space.hasEnded;
  return (
    <PageFrame
      title={space.name}
      lead={
        <>
          {space.description !== '' && (
            <span dir="auto" className="text-match block">
              {space.description}
            </span>
          )}
          {words.members(space.members)}
          {space.leads.length > 0 && ` · ${words.leads(names.format(space.leads))}`}
        </>
      }
      actions={
        <div className="flex flex-wrap gap-2">
          {space.isKeeper && (
            <Link
              href={`/projects/${encodeURIComponent(projectId)}`}
              className={buttonClasses('plain', 'medium')}
            >
              {words.manage}
            </Link>
          )}
          {isOpen && (
            <Link
              href={`/?space=${encodeURIComponent(projectId)}`}
              className={buttonClasses('primary', 'medium')}
            >
              {words.newChat}
            </Link>
          )}
        </div>
      }
    >
      {space.hasEnded && <p className="mb-8 rounded-lg bg-sunken px-4 py-3">{words.hasEnded}</p>}
      {space.role === null ? (
        <p className="mb-8 text-ink-soft">{words.notMember}</p>
      ) : (
        <SpaceChats space={space} />
      )}
      <SpaceInstructions space={space} />
      <SpaceDocuments space={space} />
      <SpacePresets space={space} />
      {space.role !== null && <SpaceBudget space={space} />}
    </PageFrame>
  );
}

function SpaceBudget({ space }: { readonly space: Space }) {
  const words = useSpacesWords();
  const lines = useStanding().data?.standing.filter(({ projectId }) => projectId === space.projectId);
  return (
    <Section
      title={words.budget}
      lead={words.budgetLead}
      actions={
        <Link href="/settings/account/keys" className={buttonClasses('plain', 'small')}>
          {words.keys}
        </Link>
      }
    >
      {lines?.length === 0 && <p className="text-ink-soft">{words.noLimits}</p>}
      <ul>
        {lines?.map((line) => (
          <LimitLine
            key={`${line.scope} ${line.modelId ?? ''} ${line.limit}`}
            line={line}
            whose={line.scope === 'project' ? words.ofAll : words.ofYou}
            leads={line.scope === 'member' ? space.leads : []}
          />
        ))}
      </ul>
    </Section>
  );
}
