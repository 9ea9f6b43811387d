import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { failureSentence } from '../app/failure-sentence.ts';
import { useSessionReplacement } from '../app/session.tsx';
import { useClient } from '../client/client-context.tsx';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { useWords } from '../language/language.tsx';

interface PasswordFormProps {
  readonly isOnlyWay: boolean;
  /** Whoever forgot the password can have a link sent. */
  readonly sendsLinks: boolean;
}

export function PasswordForm({ isOnlyWay, sendsLinks }: PasswordFormProps) {
  const words = useWords();
  const client = useClient();
  const replaceSession = useSessionReplacement();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const enter = useMutation({
    mutationFn: () => client.call('POST /console/sign-in/password', { body: { email, password } }),
    onSuccess: replaceSession,
  });
  const write = useMutation({
    mutationFn: (to: string) => client.call('POST /console/sign-in/letter', { body: { email: to } }),
  });
  const emailField = useRef<HTMLInputElement>(null);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        enter.mutate();
      }}
    >
      <TextField
        ref={emailField}
        label={words.signIn.email}
        type="email"
        name="email"
        autoComplete="username"
        required
        autoFocus={isOnlyWay}
        value={email}
        problem={write.error === null ? undefined : failureSentence(write.error, words)}
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
      {sendsLinks &&
        (write.isSuccess ? (
          <p role="status" className="text-center text-sm text-ink-soft">
            {words.signIn.linkSent(write.variables)}
          </p>
        ) : (
          <Button
            kind="quiet"
            size="small"
            className="self-center"
            disabled={write.isPending}
            onClick={() => {
              if (emailField.current?.reportValidity() === true) write.mutate(email.trim());
            }}
          >
            {words.signIn.forgotten}
          </Button>
        ))}
    </form>
  );
}
