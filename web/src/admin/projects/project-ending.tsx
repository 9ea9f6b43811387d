import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ProjectRecord } from '#contract/projects';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useNotices } from '../../app/notices.tsx';
import { useClient } from '../../client/client-context.tsx';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Section } from '../../design/section.tsx';
import { useWords } from '../../language/language.tsx';
import { useManageWords } from '../../language/manage-words.ts';

interface ProjectEndingProps {
  readonly project: ProjectRecord;
  readonly readAgain: () => Promise<void>;
}

export function ProjectEnding({ project, readAgain }: ProjectEndingProps) {
  const words = useWords();
  const { projects } = useManageWords();
  const client = useClient();
  const notices = useNotices();
  const [, goTo] = useLocation();
  const [asked, setAsked] = useState<'end' | 'delete'>();
  const { id: projectId, name, endsAt } = project;
  const isOver = endsAt !== null && endsAt <= Date.now();
  const onError = (failure: unknown) => notices.complain(failureSentence(failure, words));
  const end = useMutation({
    mutationFn: (next: number | null) =>
      client.call('PATCH /console/administration/projects/:projectId', { projectId, body: { endsAt: next } }),
    onSuccess: async ({ endsAt: ended }) => {
      await readAgain();
      notices.tell(ended === null ? projects.saved : projects.endedNow(name));
    },
    onError,
  });
  const remove = useMutation({
    mutationFn: () => client.call('DELETE /console/administration/projects/:projectId', { projectId }),
    onSuccess: async () => {
      goTo('/administration/projects');
      await readAgain();
      notices.tell(projects.deleted(name));
    },
    onError,
  });
  return (
    <Section title={projects.danger}>
      <div className="flex flex-wrap gap-3">
        {isOver ? (
          <Button onClick={() => end.mutate(null)}>{projects.reopen}</Button>
        ) : (
          <Button onClick={() => setAsked('end')}>{projects.endNow}</Button>
        )}
        <Button onClick={() => setAsked('delete')}>{projects.delete}</Button>
      </div>
      <ConfirmDialog
        isOpen={asked === 'end'}
        close={() => setAsked(undefined)}
        title={projects.endTitle(name)}
        sentence={projects.endQuestion}
        action={projects.endNow}
        confirm={() => end.mutate(Date.now())}
      />
      <ConfirmDialog
        isOpen={asked === 'delete'}
        close={() => setAsked(undefined)}
        title={projects.deleteTitle(name)}
        sentence={projects.deleteQuestion}
        action={projects.delete}
        confirm={() => remove.mutate()}
      />
    </Section>
  );
}
