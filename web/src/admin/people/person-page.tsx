import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { PersonRecord } from '#contract/administration';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useNotices } from '../../app/notices.tsx';
import { PageFrame } from '../../app/page-frame.tsx';
import { useSession } from '../../app/session.tsx';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Failure } from '../../design/failure.tsx';
import { Moment } from '../../design/moment.tsx';
import { Section } from '../../design/section.tsx';
import { useLanguageTag } from '../../language/language.tsx';
import { usePagesWords } from '../../language/pages-words.ts';
import { useManageWords } from '../../language/manage-words.ts';
import { formatBytes } from '../../standing/format-bytes.ts';
import { SubjectLimits } from '../subject-limits.tsx';
import { PersonActions } from '../person-actions.tsx';
import { PersonKeys } from '../person-keys.tsx';
import { PersonStanding } from './person-standing.tsx';
import { PersonUsage } from './person-usage.tsx';
import { PersonRemoval } from './person-removal.tsx';

interface PersonPageProps {
  readonly personId: string;
  readonly aside: ReactNode;
}

/** `/administration/people/:personId` */
export function PersonPage({ personId, aside }: PersonPageProps) {
  const { people: words } = useManageWords();
  const client = useClient();
  const {
    data: person,
    error,
    refetch,
  } = useQuery({
    queryKey: queryKeys.person(personId),
    queryFn: () => client.call('GET /console/administration/people/:personId', { personId }),
  });
  return (
    <PageFrame
      title={person?.name ?? ''}
      lead={person?.email}
      width="table"
      aside={aside}
      actions={
        <div className="flex items-center gap-3">
          <Link
            href="/administration/people"
            className="text-[0.9375rem] text-accent underline underline-offset-3"
          >
            {words.back}
          </Link>
          {person !== undefined && <PersonActions person={person} />}
        </div>
      }
    >
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {person !== undefined && <PersonContent person={person} />}
    </PageFrame>
  );
}

function PersonContent({ person }: { readonly person: PersonRecord }) {
  const words = usePagesWords();
  const { people, projects } = useManageWords();
  const tag = useLanguageTag();
  const { person: self } = useSession();
  const { usedBytes, limitBytes } = person.storage;
  return (
    <>
      <dl className="mb-8 grid gap-x-8 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
        <Fact name={people.role}>{words.roles[person.role]}</Fact>
        <Fact name={people.state}>
          <span className={person.state === 'active' ? undefined : 'text-danger'}>
            {words.administration.states[person.state]}
          </span>
        </Fact>
        <Fact name={people.provider}>{person.provider ?? people.local}</Fact>
        <Fact name={people.since}>
          <Moment at={person.createdAt} />
        </Fact>
        <Fact name={people.lastSeen}>
          <Moment at={person.lastSeenAt} />
        </Fact>
        <Fact name={people.storage}>
          {people.storageUsed(formatBytes(usedBytes, tag), formatBytes(limitBytes, tag))}
        </Fact>
      </dl>
      <Section title={people.projects}>
        {person.projects.length === 0 && <p className="text-ink-soft">{people.noProjects}</p>}
        <ul className="divide-y divide-hairline">
          {person.projects.map(({ id, name, role, isByGroup }) => (
            <li key={id} className="flex gap-3 py-2">
              <Link
                href={`/administration/projects/${encodeURIComponent(id)}`}
                className="text-accent underline-offset-3 hover:underline"
              >
                {name}
              </Link>
              <span className="text-ink-soft">
                {projects.roles[role]}
                {isByGroup && ` · ${projects.byGroup}`}
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title={people.limits} lead={people.limitsLead}>
        <PersonStanding person={person} />
        <SubjectLimits scope="person" subjectId={person.id} />
      </Section>
      <KeysSection person={person} />
      <PersonUsage personId={person.id} />
      <p className="py-6">
        <Link
          href={`/administration/audit?who=${encodeURIComponent(person.email)}`}
          className="text-accent underline underline-offset-3"
        >
          {people.trail}
        </Link>
      </p>
      {self.id === person.id ? (
        <p className="text-[0.9375rem] text-ink-soft">{people.self}</p>
      ) : (
        <PersonRemoval person={person} />
      )}
    </>
  );
}

function KeysSection({ person }: { readonly person: PersonRecord }) {
  const words = usePagesWords();
  const { people, keys } = useManageWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const [isAsking, setIsAsking] = useState(false);
  const withdraw = useMutation({
    mutationFn: () =>
      client.call('DELETE /console/administration/people/:personId/keys', { personId: person.id }),
    onSuccess: ({ revoked }) => notices.tell(keys.withdrawn(revoked)),
    onError: (failure) => notices.complain(failureSentence(failure, words)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['administration'] }),
  });
  return (
    <Section
      title={people.keys}
      actions={
        person.activeKeys > 0 && (
          <Button size="small" onClick={() => setIsAsking(true)}>
            {people.withdrawAll}
          </Button>
        )
      }
    >
      <PersonKeys personId={person.id} />
      <ConfirmDialog
        isOpen={isAsking}
        close={() => setIsAsking(false)}
        title={people.withdrawAllTitle(person.name)}
        sentence={keys.withdrawQuestion}
        action={people.withdrawAll}
        confirm={() => withdraw.mutate()}
      />
    </Section>
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
