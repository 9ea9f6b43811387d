import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { failureSentence } from '../app/failure-sentence.ts';
import { useSessionReplacement } from '../app/session.tsx';
import { useClient } from '../client/client-context.tsx';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { useWords } from '../language/language.tsx';

export function PasswordForm({ isOnlyWay }: { readonly isOnlyWay: boolean }) {
  const words = useWords();
  const client = useClient();
  const replaceSession = useSessionReplacement();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const enter = useMutation({
    mutationFn: () => client.call('POST /console/sign-in/password', { body: { email, password } }),
    onSuccess: replaceSession,
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        enter.mutate();
      }}
    >
      <TextField
        label={words.signIn.email}
        type="email"
        name="email"
        autoComplete="username"
        required
        autoFocus={isOnlyWay}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label={words.signIn.password}
        type="password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        problem={enter.error === null ? undefined : failureSentence(enter.error, words)}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button kind={isOnlyWay ? 'primary' : 'plain'} type="submit" disabled={enter.isPending}>
        {words.signIn.enter}
      </Button>
    </form>
  );
}
