import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearch } from 'wouter';
import type { Role } from '#contract/fields';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { CopyField } from '../design/copy-field.tsx';
import { Failure } from '../design/failure.tsx';
import { SelectField, TextField } from '../design/field.tsx';
import { Moment } from '../design/moment.tsx';
import { Section } from '../design/section.tsx';
import { everyone } from '../standing/everyone.ts';
import { usePagesWords } from '../language/pages-words.ts';
import { useManageWords } from '../language/manage-words.ts';
import { InviteMany } from './people/invite-many.tsx';
import { useListed } from '../language/language.tsx';

export function InvitationsSection() {
  const words = usePagesWords();
  const listed = useListed();
  const { invite: inviteWords } = useManageWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.invitations,
    queryFn: () => client.call('GET /console/administration/invitations', {}),
    // Until each letter has arrived at the mail server, or failed to.
    refetchInterval: ({ state }) =>
      state.data?.invitations.some(({ letter }) => letter === 'waiting') === true ? 2000 : false,
  });
  const revoke = useMutation({
    mutationFn: (invitationId: string) =>
      client.call('DELETE /console/administration/invitations/:invitationId', { invitationId }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.invitations }),
    onError: (failure) => notices.complain(failureSentence(failure, words)),
  });
  return (
    <>
      <InviteMany />
      <Section title={words.invitations.create} lead={words.invitations.lead}>
        <InviteForm />
      </Section>
      <Section title={words.invitations.list}>
        {error !== null && <Failure failure={error} retry={() => void refetch()} />}
        {data?.invitations.length === 0 && <p className="text-ink-soft">{words.invitations.none}</p>}
        <ul>
          {data?.invitations.map((invitation) => (
            <li
              key={invitation.id}
              className="flex items-center justify-between gap-4 border-t border-hairline py-3 first:border-0"
            >
              <p>
                <span className="font-[550]">{invitation.email ?? words.invitations.anybody}</span>
                <span className="block text-[0.9375rem] text-ink-soft">
                  {words.roles[invitation.role]} · {words.invitations.states[invitation.state]} ·{' '}
                  {words.invitations.by(invitation.invitedBy)} · <Moment at={invitation.createdAt} />
                  {invitation.letter !== null && (
                    <span className={invitation.letter === 'failed' ? 'text-danger' : undefined}>
                      {' · '}
                      {words.invitations.letters[invitation.letter]}
                    </span>
                  )}
                  {invitation.projects.length > 0 &&
                    ` · ${inviteWords.into(listed(invitation.projects.map(({ name }) => name)))}`}
                </span>
              </p>
              {invitation.state === 'open' && (
                <Button size="small" onClick={() => revoke.mutate(invitation.id)}>
                  {words.invitations.revoke}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

/** `?project=` invites into that one, as the form for many does. */
function InviteForm() {
  const words = usePagesWords();
  const { invite: inviteWords } = useManageWords();
  const client = useClient();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('person');
  const wished = new URLSearchParams(useSearch()).get('project');
  const { data } = useQuery({
    queryKey: queryKeys.projects,
    queryFn: () => client.call('GET /console/administration/projects', {}),
  });
  const project = data?.projects.find(({ id }) => id === wished && id !== everyone);
  const invite = useMutation({
    mutationFn: () =>
      client.call('POST /console/administration/invitations', {
        body: {
          email: email.trim() === '' ? null : email.trim(),
          role,
          expiresInDays: 7,
          projects: project === undefined ? [] : [project.id],
        },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.invitations }),
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate();
      }}
    >
      {project !== undefined && (
        <p className="text-[0.9375rem]">
          {inviteWords.projects}: <span className="font-[550]">{project.name}</span>
        </p>
      )}
      <div className="grid items-start gap-4 sm:grid-cols-[1fr_12rem_auto]">
        <TextField
          label={words.account.email}
          hint={words.invitations.emailHint}
          type="email"
          value={email}
          problem={invite.error === null ? undefined : failureSentence(invite.error, words)}
          onChange={(event) => setEmail(event.target.value)}
        />
        <SelectField
          label={words.account.role}
          value={role}
          onChange={(event) => setRole(event.target.value as Role)}
        >
          <option value="person">{words.roles.person}</option>
          <option value="administrator">{words.roles.administrator}</option>
        </SelectField>
        <Button type="submit" kind="primary" className="sm:mt-7" disabled={invite.isPending}>
          {words.invitations.createAction}
        </Button>
      </div>
      {invite.data !== undefined && (
        <CopyField label={words.invitations.link} text={invite.data.url} copyLabel={words.share.copyLink} />
      )}
    </form>
  );
}
