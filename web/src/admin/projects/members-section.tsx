import { Menu } from '@base-ui/react/menu';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import type { ProjectMember } from '#contract/projects';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useNotices } from '../../app/notices.tsx';
import { useSession } from '../../app/session.tsx';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { MenuEntry, MenuLine, MenuPlate } from '../../design/menu.tsx';
import { Section } from '../../design/section.tsx';
import { useWords } from '../../language/language.tsx';
import { usePagesWords } from '../../language/pages-words.ts';
import { useManageWords } from '../../language/manage-words.ts';

/** How many people are offered while an address is written. */
const suggested = 8;
/** A screenful; the others come when somebody asks for them. */
const shownAtFirst = 20;

interface MembersSectionProps {
  readonly projectId: string;
  readonly members: readonly ProjectMember[];
  readonly readAgain: () => Promise<void>;
}

export function MembersSection({ projectId, members, readAgain }: MembersSectionProps) {
  const { projects: words } = useManageWords();
  const { lists } = usePagesWords();
  const { capabilities } = useSession();
  const [isWhole, setIsWhole] = useState(false);
  return (
    <Section
      title={words.members}
      lead={words.addMemberLead}
      actions={
        capabilities.mayInvite && (
          <Link
            href={`/administration/invitations?project=${encodeURIComponent(projectId)}`}
            className="text-[0.9375rem] text-accent underline underline-offset-3"
          >
            {words.invite}
          </Link>
        )
      }
    >
      <AddMemberForm projectId={projectId} readAgain={readAgain} />
      {members.length === 0 && <p className="mt-4 text-ink-soft">{words.noMembers}</p>}
      <ul aria-label={words.members} className="mt-4 divide-y divide-hairline">
        {members.slice(0, isWhole ? undefined : shownAtFirst).map((member) => (
          <MemberRow key={member.personId} projectId={projectId} member={member} readAgain={readAgain} />
        ))}
      </ul>
      {!isWhole && members.length > shownAtFirst && (
        <Button className="mt-3" size="small" onClick={() => setIsWhole(true)}>
          {lists.more(members.length - shownAtFirst)}
        </Button>
      )}
    </Section>
  );
}

function AddMemberForm({ projectId, readAgain }: Omit<MembersSectionProps, 'members'>) {
  const words = useWords();
  const { projects } = useManageWords();
  const client = useClient();
  const { capabilities } = useSession();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<ProjectMember['role']>('member');
  const suggestions = useId();
  const searched = email.trim();
  const { data: known } = useQuery({
    queryKey: [...queryKeys.people(searched), 'suggested'],
    queryFn: () =>
      client.call('GET /console/administration/people', { query: { q: searched, limit: suggested } }),
    // A lead knows whom to add; only administrators may look through all people.
    enabled: capabilities.mayAdminister && searched.length > 1,
    placeholderData: keepPreviousData,
  });
  const add = useMutation({
    mutationFn: () =>
      client.call('PUT /console/projects/:projectId/members', {
        projectId,
        body: { email: email.trim(), role },
      }),
    onSuccess: async () => {
      setEmail('');
      await readAgain();
    },
  });
  return (
    <form
      className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_10rem_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        if (email.trim() !== '') add.mutate();
      }}
    >
      <TextField
        label={projects.email}
        inputMode="email"
        list={suggestions}
        value={email}
        problem={add.error === null ? undefined : failureSentence(add.error, words)}
        onChange={(event) => setEmail(event.target.value)}
      />
      {capabilities.mayAdminister ? (
        <SelectField
          label={projects.role}
          value={role}
          onChange={(event) => setRole(event.target.value as ProjectMember['role'])}
        >
          <option value="member">{projects.roles.member}</option>
          <option value="lead">{projects.roles.lead}</option>
        </SelectField>
      ) : (
        <span />
      )}
      <Button type="submit" className="sm:mt-7" disabled={email.trim() === '' || add.isPending}>
        {projects.addMember}
      </Button>
      <datalist id={suggestions}>
        {known?.people.map((person) => (
          <option key={person.id} value={person.email}>
            {person.name}
          </option>
        ))}
      </datalist>
    </form>
  );
}

interface MemberRowProps {
  readonly projectId: string;
  readonly member: ProjectMember;
  readonly readAgain: () => Promise<void>;
}

function MemberRow({ projectId, member, readAgain }: MemberRowProps) {
  const words = useWords();
  const { projects } = useManageWords();
  const client = useClient();
  const notices = useNotices();
  const { capabilities } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  const { personId, email, name, role, isByGroup } = member;
  const mayTouch = capabilities.mayAdminister || role === 'member';
  const otherRole = role === 'lead' ? 'member' : 'lead';
  const done = {
    onSettled: readAgain,
    onError: (failure: unknown) => notices.complain(failureSentence(failure, words)),
  };
  const change = useMutation({
    mutationFn: () =>
      client.call('PUT /console/projects/:projectId/members', {
        projectId,
        body: { email, role: otherRole },
      }),
    ...done,
  });
  const remove = useMutation({
    mutationFn: () =>
      client.call('DELETE /console/projects/:projectId/members/:personId', { projectId, personId }),
    ...done,
  });
  return (
    <li className="flex items-center justify-between gap-4 py-2.5">
      <p className="min-w-0">
        <span className="font-[550] break-words">{name}</span>{' '}
        {role === 'lead' && <span className="text-sm text-accent-strong">{projects.roles.lead}</span>}
        <span className="block text-[0.9375rem] break-all text-ink-soft">
          {email}
          {isByGroup && ` · ${projects.byGroup}`}
        </span>
      </p>
      {mayTouch && (
        <Menu.Root>
          <Menu.Trigger render={<IconButton icon="more" label={projects.actions(name)} />} />
          <MenuPlate align="end">
            {capabilities.mayAdminister && (
              <>
                <MenuEntry icon="shield" onClick={() => change.mutate()}>
                  {otherRole === 'lead' ? projects.makeLead : projects.makeMember}
                </MenuEntry>
                <MenuLine />
              </>
            )}
            <MenuEntry icon="signOut" isDanger onClick={() => setIsAsking(true)}>
              {projects.remove}
            </MenuEntry>
          </MenuPlate>
        </Menu.Root>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        close={() => setIsAsking(false)}
        title={projects.removeTitle(name)}
        sentence={projects.removeQuestion}
        action={projects.remove}
        confirm={() => remove.mutate()}
      />
    </li>
  );
}
