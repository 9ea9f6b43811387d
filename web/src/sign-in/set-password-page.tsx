import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { failureSentence } from '../app/failure-sentence.ts';
import { useSessionReplacement, type SignedInSession } from '../app/session.tsx';
import { usePageTitle } from '../app/use-page-title.ts';
import { useClient } from '../client/client-context.tsx';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { ArchFrame } from './arch-frame.tsx';
import { LinkCommand } from './link-command.tsx';

/** Whoever came by a one-time link and has no other way in: choose one now, or know how to get another link. */
export function SetPasswordPage({
  person,
  later,
}: {
  readonly person: SignedInSession['person'];
  readonly later: () => void;
}) {
  const words = usePagesWords();
  const client = useClient();
  const replaceSession = useSessionReplacement();
  const [password, setPassword] = useState('');
  usePageTitle(words.account.setPassword);
  const save = useMutation({
    mutationFn: () =>
      client.call('POST /console/account/password', { body: { current: null, next: password } }),
    onSuccess: replaceSession,
  });
  return (
    <ArchFrame title={words.account.setPassword} lead={words.signIn.passwordNeeded}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextField
          label={words.signIn.email}
          type="email"
          autoComplete="username"
          readOnly
          value={person.email}
        />
        <TextField
          label={words.account.newPassword}
          type="password"
          autoComplete="new-password"
          required
          autoFocus
          minLength={10}
          hint={words.account.passwordHint}
          problem={save.error === null ? undefined : failureSentence(save.error, words)}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button kind="primary" type="submit" disabled={save.isPending}>
          {words.account.setPassword}
        </Button>
        <Button kind="quiet" onClick={later}>
          {words.signIn.passwordLater}
        </Button>
      </form>
      <LinkCommand lead={words.signIn.withoutPassword} email={person.email} />
    </ArchFrame>
  );
}
