import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearch } from 'wouter';
import type { Role } from '#contract/fields';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useSession } from '../../app/session.tsx';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Button, buttonClasses } from '../../design/button.tsx';
import { CheckList } from '../../design/check-list.tsx';
import { CopyField } from '../../design/copy-field.tsx';
import { SelectField, TextArea } from '../../design/field.tsx';
import { Icon } from '../../design/icon.tsx';
import { Section } from '../../design/section.tsx';
import { usePagesWords } from '../../language/pages-words.ts';
import { useManageWords } from '../../language/manage-words.ts';
import { everyone } from '../../standing/everyone.ts';
import { linksAsCsv, readAddresses } from './address-list.ts';

const maxAddresses = 500;

/** Addresses pasted from a list, one link each, into projects. `?project=` begins with one chosen. */
export function InviteMany() {
  const words = usePagesWords();
  const { invite: inviteWords } = useManageWords();
  const sendsLetters = useSession().signIn.sendsLinks;
  const client = useClient();
  const queries = useQueryClient();
  const wished = new URLSearchParams(useSearch()).get('project');
  const [written, setWritten] = useState('');
  const [role, setRole] = useState<Role>('person');
  const [days, setDays] = useState(7);
  const [chosen, setChosen] = useState<readonly string[]>(wished === null ? [] : [wished]);
  const { data } = useQuery({
    queryKey: queryKeys.projects,
    queryFn: () => client.call('GET /console/administration/projects', {}),
  });
  const { addresses, wrong } = readAddresses(written);
  const invite = useMutation({
    mutationFn: () =>
      client.call('POST /console/administration/invitations/many', {
        body: { emails: addresses, role, expiresInDays: days, projects: chosen },
      }),
    onSuccess: async () => {
      setWritten('');
      await queries.invalidateQueries({ queryKey: queryKeys.invitations });
    },
  });
  const problem =
    wrong.length > 0
      ? inviteWords.wrong(wrong)
      : addresses.length > maxAddresses
        ? inviteWords.tooMany
        : invite.error === null
          ? undefined
          : failureSentence(invite.error, words);
  const oneLink = invite.data?.invited.length === 1 ? invite.data.invited[0]?.url : undefined;
  const projects = data?.projects.filter(({ id }) => id !== everyone) ?? [];
  return (
    <Section title={inviteWords.many} lead={sendsLetters ? inviteWords.withMail : inviteWords.noMail}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate();
        }}
      >
        <TextArea
          label={inviteWords.addresses}
          hint={inviteWords.addressesHint}
          problem={problem}
          rows={5}
          className="font-mono text-[0.84375rem]"
          value={written}
          onChange={(event) => setWritten(event.target.value)}
        />
        {projects.length > 0 && (
          <CheckList
            legend={inviteWords.projects}
            hint={inviteWords.projectsHint}
            choices={projects.map(({ id, name }) => ({ value: id, label: name }))}
            chosen={chosen}
            choose={setChosen}
          />
        )}
        <div className="grid items-end gap-4 sm:grid-cols-[12rem_12rem_auto]">
          <SelectField
            label={words.account.role}
            value={role}
            onChange={(event) => setRole(event.target.value as Role)}
          >
            <option value="person">{words.roles.person}</option>
            <option value="administrator">{words.roles.administrator}</option>
          </SelectField>
          <SelectField
            label={inviteWords.days}
            value={days}
            onChange={(event) => setDays(Number(event.target.value))}
          >
            {[1, 7, 14, 30, 90].map((count) => (
              <option key={count} value={count}>
                {inviteWords.inDays(count)}
              </option>
            ))}
          </SelectField>
          <Button
            type="submit"
            kind="primary"
            className="sm:justify-self-start"
            disabled={
              addresses.length === 0 ||
              wrong.length > 0 ||
              addresses.length > maxAddresses ||
              invite.isPending
            }
          >
            {inviteWords.makeMany(addresses.length)}
          </Button>
        </div>
      </form>
      {invite.data !== undefined && (
        <div role="status" className="mt-5 rounded-lg bg-accent-wash px-4 py-3">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="font-[550]">{inviteWords.made(invite.data.invited.length)}</p>
            {invite.data.invited.length > 0 && (
              <a
                href={`data:text/csv;charset=utf-8,${encodeURIComponent(linksAsCsv(invite.data.invited))}`}
                download="invitations.csv"
                className={buttonClasses('plain')}
              >
                <Icon name="download" size={16} />
                {inviteWords.download}
              </a>
            )}
          </div>
          {oneLink !== undefined && (
            <div className="mt-2">
              <CopyField label={words.invitations.link} text={oneLink} copyLabel={words.share.copyLink} />
            </div>
          )}
          {invite.data.areSent && (
            <p className="mt-1 text-[0.9375rem] text-ink-soft">{inviteWords.areSent}</p>
          )}
          {invite.data.known.length > 0 && (
            <p className="mt-1 text-[0.9375rem] text-ink-soft">
              {inviteWords.known(
                invite.data.known.map(({ email }) => email),
                chosen.length > 0,
              )}
            </p>
          )}
        </div>
      )}
    </Section>
  );
}
