import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ProjectPage } from '#contract/projects';
import { useSession } from '../../app/session.tsx';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Moment } from '../../design/moment.tsx';
import { NamesInShort } from '../../design/names-in-short.tsx';
import { Section } from '../../design/section.tsx';
import { useManageWords } from '../../language/manage-words.ts';
import { everyone } from '../../standing/everyone.ts';
import { LimitLine } from '../../standing/limit-line.tsx';
import { LimitsEditor } from '../limits-editor.tsx';
import { MembersSection } from './members-section.tsx';
import { ProjectEnding } from './project-ending.tsx';
import { ProjectUsage } from './project-usage.tsx';
import { useListed } from '../../language/language.tsx';

/** One project, for its leads and for administrators. */
export function ProjectContent({ page }: { readonly page: ProjectPage }) {
  const { projects: words } = useManageWords();
  const listed = useListed();
  const client = useClient();
  const queries = useQueryClient();
  const { capabilities } = useSession();
  const { project, members, limits, memberLimits, standing, networks } = page;
  const projectId = project.id;
  const readAgain = async () => {
    await queries.invalidateQueries({ queryKey: queryKeys.project(projectId) });
    await queries.invalidateQueries({ queryKey: queryKeys.projects });
  };
  const saving = async (change: Promise<unknown>) => {
    await change;
    await readAgain();
  };
  return (
    <>
      {project.isConfigured && (
        <p className="mb-6 max-w-prose text-[0.9375rem] text-ink-soft">{words.configured}</p>
      )}
      <dl className="mb-8 grid gap-x-8 gap-y-3 sm:grid-cols-2 xl:grid-cols-4">
        <Fact name={words.weight}>{project.weight}</Fact>
        <Fact name={words.models}>
          {project.models.length === 0 ? words.allModels : <NamesInShort names={project.models} />}
        </Fact>
        <Fact name={words.ends}>
          {project.endsAt === null ? words.never : <Moment at={project.endsAt} />}
          {project.endsAt !== null && project.endsAt <= Date.now() && (
            <span className="text-danger"> ({words.ended})</span>
          )}
        </Fact>
        <Fact name={words.shares}>{project.sharesPrompts ? words.shared : words.notShared}</Fact>
        {project.groups.length > 0 && <Fact name={words.groups}>{listed(project.groups)}</Fact>}
        {networks.length > 0 && (
          <Fact name={words.networks}>
            <span className="font-mono text-[0.84375rem]">{listed(networks)}</span>
          </Fact>
        )}
      </dl>
      <Section title={words.standing} lead={words.standingLead}>
        {standing.length > 0 && (
          <ul className="mb-6 divide-y divide-hairline">
            {standing.map((line) => (
              <LimitLine
                key={`${line.modelId} ${line.limit}`}
                line={line}
                leads={capabilities.mayAdminister ? undefined : []}
              />
            ))}
          </ul>
        )}
        <LimitsEditor
          inForce={limits}
          save={
            capabilities.mayAdminister
              ? (modelId, amounts) =>
                  saving(
                    client.call('PUT /console/administration/limits', {
                      body: { scope: 'project', subjectId: projectId, modelId, limits: amounts },
                    }),
                  )
              : undefined
          }
        />
      </Section>
      <Section title={words.memberLimits} lead={words.memberLimitsLead}>
        <LimitsEditor
          inForce={memberLimits}
          save={(modelId, amounts) =>
            saving(
              client.call('PUT /console/projects/:projectId/member-limits', {
                projectId,
                body: { modelId, limits: amounts },
              }),
            )
          }
        />
      </Section>
      {projectId !== everyone && (
        <MembersSection projectId={projectId} members={members} readAgain={readAgain} />
      )}
      <ProjectUsage projectId={projectId} />
      {capabilities.mayAdminister && !project.isConfigured && projectId !== everyone && (
        <ProjectEnding project={project} readAgain={readAgain} />
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-faint">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
