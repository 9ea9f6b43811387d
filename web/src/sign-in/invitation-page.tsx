import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { InvitationPreview } from '#contract/session';
import { failureSentence } from '../app/failure-sentence.ts';
import { useSessionReplacement } from '../app/session.tsx';
import { usePageTitle } from '../app/use-page-title.ts';
import { CallFailed } from '../client/call-failed.ts';
import { useClient } from '../client/client-context.tsx';
import { Button, buttonClasses } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { TextField } from '../design/field.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { ArchFrame } from './arch-frame.tsx';

/** `/invitation#<token>`: a name and a password, then one is inside. */
export function InvitationPage() {
  const words = usePagesWords();
  const client = useClient();
  // The token stays in the address until it is used, so that a reload shows the form again.
  const [token] = useState(() => location.hash.slice(1));
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => client.call('POST /console/invitation/preview', { body: { token } }),
    retry: false,
    // What somebody has typed must not go because the window was left for the password manager.
    staleTime: Infinity,
  });
  const isGone = error instanceof CallFailed && error.status === 404;
  usePageTitle(isGone ? words.invitation.gone : words.invitation.title);
  if (isGone) {
    return (
      <ArchFrame title={words.invitation.gone} lead={words.invitation.goneLead}>
        <p role="alert" className="text-center text-balance">
          {failureSentence(error, words)}
        </p>
        <div className="mt-7 flex flex-col">
          <Link href="/sign-in" className={buttonClasses('plain')}>
            {words.invitation.toSignIn}
          </Link>
        </div>
      </ArchFrame>
    );
  }
  return (
    <ArchFrame
      title={words.invitation.title}
      lead={data === undefined ? words.invitation.lead : words.invitation.from(data.invitedBy)}
    >
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data !== undefined && <AcceptForm token={token} preview={data} />}
    </ArchFrame>
  );
}

function AcceptForm({ token, preview }: { readonly token: string; readonly preview: InvitationPreview }) {
  const words = usePagesWords();
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
  const problem = accept.error === null ? undefined : failureSentence(accept.error, words);
  const isAboutEmail = accept.error instanceof CallFailed && accept.error.param === 'email';
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
        problem={isAboutEmail ? problem : undefined}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label={words.signIn.password}
        type="password"
        autoComplete="new-password"
        required
        minLength={10}
        hint={words.account.passwordHint}
        problem={isAboutEmail ? undefined : problem}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button kind="primary" type="submit" disabled={accept.isPending}>
        {words.invitation.accept}
      </Button>
    </form>
  );
}
