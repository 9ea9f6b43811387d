import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useSession, useSessionReplacement } from '../app/session.tsx';
import { CallFailed } from '../client/call-failed.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { Section } from '../design/section.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { ProvidersSection } from './providers-section.tsx';
import { useListed } from '../language/language.tsx';

export function ProfileSection() {
  const { person } = useSession();
  return (
    <>
      <NameForm />
      <ProvidersSection />
      {person.maySetPassword && <PasswordChange />}
    </>
  );
}

function NameForm() {
  const words = usePagesWords();
  const listed = useListed();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const { person } = useSession();
  const [name, setName] = useState(person.name);
  const save = useMutation({
    mutationFn: () => client.call('PATCH /console/account', { body: { name: name.trim() } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.session });
      notices.tell(words.general.saved);
    },
  });
  const ways = [
    ...person.providers.map(({ name }) => name),
    ...(person.hasPassword ? [words.account.passwordWay] : []),
  ];
  return (
    <Section title={words.settings.profile}>
      <form
        className="flex max-w-md flex-col items-start gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <div className="w-full">
          <TextField
            label={words.account.name}
            autoComplete="name"
            maxLength={120}
            value={name}
            problem={save.error === null ? undefined : failureSentence(save.error, words)}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <dl className="text-[0.9375rem]">
          <div className="flex gap-2">
            <dt className="text-ink-soft">{words.account.email}</dt>
            <dd>{person.email.endsWith('.invalid') ? words.account.noEmail : person.email}</dd>
          </div>
          <div className="flex gap-2">
            <dt className="text-ink-soft">{words.account.signsInWith}</dt>
            <dd>{ways.length === 0 ? words.account.linkWay : listed(ways)}</dd>
          </div>
          <div className="flex gap-2">
            <dt className="text-ink-soft">{words.account.role}</dt>
            <dd>{words.roles[person.role]}</dd>
          </div>
        </dl>
        <Button type="submit" disabled={name.trim() === '' || name.trim() === person.name || save.isPending}>
          {words.general.save}
        </Button>
      </form>
    </Section>
  );
}

function PasswordChange() {
  const words = usePagesWords();
  const client = useClient();
  const notices = useNotices();
  const replaceSession = useSessionReplacement();
  const { person } = useSession();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const save = useMutation({
    mutationFn: () =>
      client.call('POST /console/account/password', {
        body: { current: person.hasPassword ? current : null, next },
      }),
    onSuccess: (session) => {
      replaceSession(session);
      setCurrent('');
      setNext('');
      notices.tell(words.account.passwordChanged);
    },
  });
  const problem = save.error === null ? undefined : failureSentence(save.error, words);
  const isAboutCurrent = save.error instanceof CallFailed && save.error.param === 'current';
  return (
    <Section
      title={person.hasPassword ? words.account.changePassword : words.account.setPassword}
      lead={words.account.passwordLead}
    >
      <form
        className="flex max-w-md flex-col items-start gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <input type="text" name="username" autoComplete="username" value={person.email} readOnly hidden />
        {person.hasPassword && (
          <div className="w-full">
            <TextField
              label={words.account.currentPassword}
              type="password"
              autoComplete="current-password"
              required
              problem={isAboutCurrent ? problem : undefined}
              value={current}
              onChange={(event) => setCurrent(event.target.value)}
            />
          </div>
        )}
        <div className="w-full">
          <TextField
            label={words.account.newPassword}
            type="password"
            autoComplete="new-password"
            required
            minLength={10}
            hint={words.account.passwordHint}
            problem={isAboutCurrent ? undefined : problem}
            value={next}
            onChange={(event) => setNext(event.target.value)}
          />
        </div>
        <Button type="submit" disabled={next.length < 10 || save.isPending}>
          {person.hasPassword ? words.account.changePassword : words.account.setPassword}
        </Button>
      </form>
    </Section>
  );
}
