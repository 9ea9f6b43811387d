import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ProjectListing } from '#contract/projects';
import { useNotices } from '../../app/notices.tsx';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Failure } from '../../design/failure.tsx';
import { FindField } from '../../design/find-field.tsx';
import { isFound } from '../../design/is-found.ts';
import { Icon } from '../../design/icon.tsx';
import { Meter } from '../../design/meter.tsx';
import { Moment } from '../../design/moment.tsx';
import { NamesInShort } from '../../design/names-in-short.tsx';
import { useLanguageTag } from '../../language/language.tsx';
import { usePagesWords } from '../../language/pages-words.ts';
import { useManageWords } from '../../language/manage-words.ts';
import { everyone } from '../../standing/everyone.ts';
import { ProjectForm } from './project-form.tsx';

/** More than these are looked for rather than looked through. */
const manyProjects = 10;

export function ProjectsSection() {
  const { projects: words } = useManageWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const [, goTo] = useLocation();
  const [searched, setSearched] = useState('');
  const [isCreating, setIsCreating] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.projects,
    queryFn: () => client.call('GET /console/administration/projects', {}),
  });
  const areMany = (data?.projects.length ?? 0) > manyProjects;
  const shown = data?.projects.filter(({ id, name, leads }) => isFound(searched, [id, name, ...leads])) ?? [];
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-end gap-3">
        {areMany && (
          <FindField
            what={words.list}
            className="field me-auto max-w-96"
            value={searched}
            change={setSearched}
          />
        )}
        <Button kind="primary" onClick={() => setIsCreating(true)}>
          <Icon name="plus" size={16} />
          {words.create}
        </Button>
      </div>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data !== undefined && data.projects.length <= 1 && (
        <p className="mb-6 max-w-prose rounded-xl border border-dashed border-edge px-6 py-8 text-ink-soft">
          {words.none}
        </p>
      )}
      {data !== undefined && <ProjectTable projects={shown} />}
      <Dialog
        isOpen={isCreating}
        close={() => setIsCreating(false)}
        title={words.create}
        description={words.createLead}
        isWide
      >
        <ProjectForm
          project={undefined}
          close={() => setIsCreating(false)}
          save={async (id, wishes) => {
            const made = await client.call('POST /console/administration/projects', {
              body: { id, ...wishes },
            });
            await queries.invalidateQueries({ queryKey: queryKeys.projects });
            notices.tell(words.made(made.name));
            goTo(`/administration/projects/${encodeURIComponent(made.id)}`);
          }}
        />
      </Dialog>
    </>
  );
}

function ProjectTable({ projects }: { readonly projects: readonly ProjectListing[] }) {
  const { projects: words } = useManageWords();
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={words.list}>
      <table className="table-plain table-stacked">
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.members}</th>
            <th scope="col" className="text-end!">
              {words.weight}
            </th>
            <th scope="col">{words.models}</th>
            <th scope="col">{words.budget}</th>
            <th scope="col">{words.ends}</th>
          </tr>
        </thead>
        <tbody>
          {projects.map((project) => (
            <ProjectRow key={project.id} project={project} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ProjectRow({ project }: { readonly project: ProjectListing }) {
  const { standing: standingWords } = usePagesWords();
  const { projects: words } = useManageWords();
  const numbers = new Intl.NumberFormat(useLanguageTag(), { notation: 'compact', maximumFractionDigits: 1 });
  const isEveryone = project.id === everyone;
  const isOver = project.endsAt !== null && project.endsAt <= Date.now();
  const budgets = project.standing.filter(
    ({ limit, modelId }) => limit.startsWith('cost') && modelId === null,
  );
  return (
    <tr>
      <td className="max-w-72 sm:min-w-52">
        <Link
          href={`/administration/projects/${encodeURIComponent(project.id)}`}
          className="font-[600] text-accent underline-offset-3 hover:underline"
        >
          {isEveryone ? standingWords.everyone : project.name}
        </Link>
        <code className="block w-fit font-mono text-[0.8125rem] wrap-anywhere text-ink-faint">
          {project.id}
        </code>
        {project.description !== '' && (
          <span dir="auto" className="text-match block text-sm text-ink-soft">
            {project.description}
          </span>
        )}
      </td>
      <td data-label={words.members}>
        {isEveryone ? words.everybody : project.members}
        {project.leads.length > 0 && (
          <span className="block text-sm text-ink-soft">
            <NamesInShort names={project.leads} most={2} />
          </span>
        )}
      </td>
      <td data-label={words.weight} className="sm:text-end">
        {project.weight}
      </td>
      <td data-label={words.models} className="min-w-24 text-ink-soft">
        {project.models.length === 0 ? words.allModels : <NamesInShort names={project.models} most={2} />}
      </td>
      <td className="min-w-52">
        {budgets.map(({ limit, used, amount }) => (
          <div key={limit} className="mb-1.5 last:mb-0">
            <p className="flex justify-between gap-3 text-sm whitespace-nowrap">
              <span className="text-ink-soft">{standingWords.limits[limit]}</span>
              <span className="tabular-nums">
                {numbers.format(used)} / {numbers.format(amount)}
              </span>
            </p>
            <Meter label={standingWords.limits[limit]} used={used} amount={amount} />
          </div>
        ))}
      </td>
      <td
        data-label={words.ends}
        className={isOver ? 'whitespace-nowrap text-danger' : 'whitespace-nowrap text-ink-soft'}
      >
        {isOver ? words.ended : project.endsAt === null ? words.never : <Moment at={project.endsAt} />}
      </td>
    </tr>
  );
}
