import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Incident } from '#contract/bulletin';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useNotices } from '../../app/notices.tsx';
import { useSession } from '../../app/session.tsx';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Button, buttonClasses } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { CopyField } from '../../design/copy-field.tsx';
import { Failure } from '../../design/failure.tsx';
import { TextArea } from '../../design/field.tsx';
import { Section } from '../../design/section.tsx';
import { useBulletinWords } from '../../language/bulletin-words.ts';
import { useWords } from '../../language/language.tsx';
import { IncidentStory } from '../../status/incident-story.tsx';
import { IncidentForm } from './incident-form.tsx';

/** What is said on the status page, and where else it can be seen. */
export function StatusSection() {
  const words = useBulletinWords();
  const client = useClient();
  const { service } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.incidents,
    queryFn: () => client.call('GET /console/administration/incidents', {}),
  });
  return (
    <>
      <Section
        title={words.readers.title}
        lead={service.isStatusPublic ? words.readers.everybody : words.readers.people}
        actions={
          <Link href="/status" className={buttonClasses('plain')}>
            {words.openPage}
          </Link>
        }
      >
        <div className="flex flex-col gap-4">
          <CopyField label={words.json} text={`${service.publicUrl}/status.json`} copyLabel={words.copy} />
          <CopyField
            label={words.badge}
            text={`<a href="${service.publicUrl}/status"><img src="${service.publicUrl}/status/badge.svg" alt="Status"></a>`}
            copyLabel={words.copy}
          />
          <img src="/status/badge.svg" alt="" className="self-start" />
        </div>
      </Section>
      <Section title={words.newIncident} lead={words.newIncidentLead}>
        <IncidentForm />
      </Section>
      <Section title={words.incidents}>
        {error !== null && <Failure failure={error} retry={() => void refetch()} />}
        {data?.incidents.length === 0 && <p className="text-ink-soft">{words.noIncidents}</p>}
        <ul aria-label={words.incidents} className="flex flex-col gap-4">
          {data?.incidents.map((incident) => (
            <IncidentItem key={incident.id} incident={incident} />
          ))}
        </ul>
      </Section>
    </>
  );
}

function IncidentItem({ incident }: { readonly incident: Incident }) {
  const words = useBulletinWords();
  const general = useWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const [text, setText] = useState('');
  const [isRemoving, setIsRemoving] = useState(false);
  const incidentId = incident.id;
  const refresh = () => queries.invalidateQueries({ queryKey: queryKeys.incidents });
  const update = useMutation({
    mutationFn: (resolves: boolean) =>
      client.call('POST /console/administration/incidents/:incidentId/updates', {
        incidentId,
        body: { text, resolves },
      }),
    onSuccess: () => {
      setText('');
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: () => client.call('DELETE /console/administration/incidents/:incidentId', { incidentId }),
    onSettled: refresh,
    onError: (failure) => notices.complain(failureSentence(failure, general)),
  });
  return (
    <li className="border-t border-hairline pt-4 first:border-0 first:pt-0">
      <IncidentStory incident={incident} />
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate(false);
        }}
      >
        {incident.resolvedAt === null && (
          <TextArea
            label={words.update}
            rows={2}
            maxLength={2000}
            value={text}
            problem={update.error === null ? undefined : failureSentence(update.error, general)}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <div className="flex flex-wrap gap-2">
          {incident.resolvedAt === null && (
            <>
              <Button type="submit" size="small" disabled={update.isPending || text.trim() === ''}>
                {words.addUpdate}
              </Button>
              <Button
                size="small"
                kind="primary"
                disabled={update.isPending || text.trim() === ''}
                onClick={() => update.mutate(true)}
              >
                {words.resolve}
              </Button>
            </>
          )}
          <Button size="small" onClick={() => setIsRemoving(true)}>
            {words.remove}
          </Button>
        </div>
      </form>
      <ConfirmDialog
        isOpen={isRemoving}
        close={() => setIsRemoving(false)}
        title={words.removeIncidentTitle}
        sentence={words.removeIncidentQuestion}
        action={words.remove}
        confirm={() => remove.mutate()}
      />
    </li>
  );
}
