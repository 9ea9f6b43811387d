import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { OwnProject, ProjectStanding } from '#contract/projects';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Failure } from '../design/failure.tsx';
import { Moment } from '../design/moment.tsx';
import { Section } from '../design/section.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { everyone } from './everyone.ts';
import { LimitLine } from './limit-line.tsx';
import { useStanding } from './use-standing.ts';

/** Per project what is used and left; first what binds the person everywhere. */
export function StandingSection() {
  const words = usePagesWords().standing;
  const client = useClient();
  const { data, error, refetch } = useStanding();
  const keys = useQuery({
    queryKey: queryKeys.keys,
    queryFn: () => client.call('GET /console/keys', {}),
  }).data?.keys;
  if (error !== null && data === undefined)
    return (
      <Section title={words.title}>
        <Failure failure={error} retry={() => void refetch()} />
      </Section>
    );
  if (data === undefined) return null;
  const { projects, standing } = data;
  const ofPerson = standing.filter(({ scope }) => scope === 'person');
  // What keys may do in a minute stands beside them; a budget that runs out stands here too.
  const ofKeys = standing.filter(({ scope, limit }) => scope === 'key' && limit.startsWith('cost'));
  const isFree = standing.length === 0 && projects.length <= 1;
  return (
    <Section title={words.title} lead={isFree ? words.none : words.lead}>
      {!isFree && (
        <div className="flex flex-col gap-8">
          {ofPerson.length > 0 && (
            <Group title={words.account} note={words.accountLead}>
              {ofPerson.map((line) => (
                <LimitLine key={nameOf(line)} line={line} leads={[]} />
              ))}
            </Group>
          )}
          {projects.map((project) => (
            <ProjectGroup
              key={project.id}
              project={project}
              lines={standing.filter(({ projectId }) => projectId === project.id)}
            />
          ))}
          {ofKeys.length > 0 && (
            <Group title={words.keys}>
              {ofKeys.map((line) => (
                <LimitLine
                  key={nameOf(line)}
                  line={line}
                  whose={words.ofKey(keys?.find(({ id }) => id === line.keyId)?.name ?? '')}
                  leads={[]}
                />
              ))}
            </Group>
          )}
        </div>
      )}
    </Section>
  );
}

interface ProjectGroupProps {
  readonly project: OwnProject;
  readonly lines: readonly ProjectStanding[];
}

function ProjectGroup({ project, lines }: ProjectGroupProps) {
  const words = usePagesWords().standing;
  const isEveryone = project.id === everyone;
  if (isEveryone && lines.length === 0) return null;
  return (
    <Group
      title={isEveryone ? words.everyone : project.name}
      note={isEveryone ? words.everyoneLead : project.description}
      facts={
        <>
          {project.endsAt !== null && (
            <span>
              {words.ends} <Moment at={project.endsAt} />
            </span>
          )}
          {project.role === 'lead' && (
            <>
              <span>{words.youLead}</span>
              <Link
                href={`/projects/${encodeURIComponent(project.id)}`}
                className="text-accent underline underline-offset-3"
              >
                {words.manage}
              </Link>
            </>
          )}
        </>
      }
    >
      {lines.length === 0 && <li className="py-2 text-[0.9375rem] text-ink-soft">{words.noneOf}</li>}
      {lines.map((line) => (
        <LimitLine
          key={nameOf(line)}
          line={line}
          whose={line.scope === 'project' ? words.ofAll : words.ofYou}
          leads={line.scope === 'member' ? project.leads : []}
        />
      ))}
    </Group>
  );
}

interface GroupProps {
  readonly title: string;
  readonly note?: string;
  readonly facts?: ReactNode;
  readonly children: ReactNode;
}

function Group({ title, note = '', facts, children }: GroupProps) {
  return (
    <section aria-label={title}>
      <div className="flex flex-wrap items-baseline gap-x-4 border-b border-hairline pb-1.5">
        <h3 className="font-[650]">{title}</h3>
        {note !== '' && (
          <p dir="auto" className="text-sm text-ink-soft">
            {note}
          </p>
        )}
        <p className="ms-auto flex flex-wrap gap-x-4 text-sm text-ink-soft">{facts}</p>
      </div>
      <ul className="divide-y divide-hairline">{children}</ul>
    </section>
  );
}

function nameOf({ scope, keyId, projectId, modelId, limit }: ProjectStanding): string {
  return [scope, keyId, projectId, modelId, limit].join(' ');
}
