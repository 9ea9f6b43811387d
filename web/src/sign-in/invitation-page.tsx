import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { InvitationPreview } from '../../../src/console/contract/session.ts';
import { failureSentence } from '../app/failure-sentence.ts';
import { useSessionReplacement } from '../app/session.tsx';
import { usePageTitle } from '../app/use-page-title.ts';
import { useClient } from '../client/client-context.tsx';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { useWords } from '../language/language.tsx';
import { ArchFrame } from './arch-frame.tsx';

/** `/invitation#<token>`: a name and a password, then one is inside. */
export function InvitationPage() {
  const words = useWords();
  const client = useClient();
  const [token] = useState(() => decodeURIComponent(location.hash.slice(1)));
  useEffect(() => history.replaceState(null, '', '/invitation'), []);
  usePageTitle(words.invitation.title);
  const { data, error } = useQuery({
    queryKey: ['invitation'],
    queryFn: () => client.call('POST /console/invitation/preview', { body: { token } }),
    retry: false,
  });
  return (
    <ArchFrame
      title={words.invitation.title}
      lead={data === undefined ? words.invitation.lead : words.invitation.from(data.invitedBy)}
    >
      {error !== null && (
        <p role="alert" className="rounded-lg bg-danger-wash px-3.5 py-2.5 text-[0.9375rem] text-danger">
          {failureSentence(error, words)}
        </p>
      )}
      {data !== undefined && <AcceptForm token={token} preview={data} />}
    </ArchFrame>
  );
}

function AcceptForm({ token, preview }: { readonly token: string; readonly preview: InvitationPreview }) {
  const words = useWords();
  const client = useClient();
  const [, goTo] = useLocation();
  const replaceSession = useSessionReplacement();
  const [name, setName] = useState('');
  const [email, setEmail] = useState(preview.email ?? '');
  const [password, setPassword] = useState('');
  const accept = useMutation({
    mutationFn: () =>
      client.call('POST /console/invitation/accept', { body: { token, name, email, password } }),
    onSuccess: (session) => {
      goTo('/', { replace: true });
      replaceSession(session);
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        accept.mutate();
      }}
    >
      <TextField
        label={words.account.name}
        autoComplete="name"
        required
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={words.signIn.email}
        type="email"
        autoComplete="username"
        required
        readOnly={preview.email !== null}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label={words.signIn.password}
        type="password"
        autoComplete="new-password"
        required
        minLength={10}
        hint={words.account.passwordHint}
        problem={accept.error === null ? undefined : failureSentence(accept.error, words)}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button kind="primary" type="submit" disabled={accept.isPending}>
        {words.invitation.accept}
      </Button>
    </form>
  );
}
