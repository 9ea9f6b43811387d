import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { PageFrame } from '../../app/page-frame.tsx';
import { useNotices } from '../../app/notices.tsx';
import { useSession } from '../../app/session.tsx';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Failure } from '../../design/failure.tsx';
import { usePagesWords } from '../../language/pages-words.ts';
import { useManageWords } from '../../language/manage-words.ts';
import { everyone } from '../../standing/everyone.ts';
import { ProjectContent } from './project-content.tsx';
import { ProjectForm } from './project-form.tsx';

interface ProjectPageProps {
  readonly projectId: string;
  /** The navigation of the administration, for those who came through it. */
  readonly aside?: ReactNode;
}

/** `/administration/projects/:projectId`, and `/projects/:projectId` for leads. */
export function ProjectPage({ projectId, aside }: ProjectPageProps) {
  const { standing } = usePagesWords();
  const { projects: words } = useManageWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const { capabilities } = useSession();
  const [isEditing, setIsEditing] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.project(projectId),
    queryFn: () => client.call('GET /console/projects/:projectId', { projectId }),
  });
  const project = data?.project;
  const isEveryone = projectId === everyone;
  const mayEdit = capabilities.mayAdminister && project?.isConfigured === false && !isEveryone;
  return (
    <PageFrame
      title={isEveryone ? standing.everyone : (project?.name ?? projectId)}
      lead={isEveryone ? words.everyoneLead : project?.description && <bdi>{project.description}</bdi>}
      width={aside === undefined ? 'wide' : 'table'}
      aside={aside}
      actions={
        <div className="flex items-center gap-3">
          {aside !== undefined && (
            <Link
              href="/administration/projects"
              className="text-[0.9375rem] text-accent underline underline-offset-3"
            >
              {words.list}
            </Link>
          )}
          {mayEdit && <Button onClick={() => setIsEditing(true)}>{words.editAction}</Button>}
        </div>
      }
    >
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data !== undefined && <ProjectContent page={data} />}
      <Dialog isOpen={isEditing} close={() => setIsEditing(false)} title={words.editAction} isWide>
        {project !== undefined && (
          <ProjectForm
            project={project}
            close={() => setIsEditing(false)}
            save={async (_id, wishes) => {
              await client.call('PATCH /console/administration/projects/:projectId', {
                projectId,
                body: wishes,
              });
              await queries.invalidateQueries({ queryKey: queryKeys.project(projectId) });
              await queries.invalidateQueries({ queryKey: queryKeys.projects });
              notices.tell(words.saved);
            }}
          />
        )}
      </Dialog>
    </PageFrame>
  );
}
