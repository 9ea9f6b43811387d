import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { SignInProblem } from '#contract/session';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useSession } from '../app/session.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { Section } from '../design/section.tsx';
import { usePagesWords } from '../language/pages-words.ts';

/** With which accounts of other services somebody signs in; adding one is proof enough that both are theirs. */
export function ProvidersSection() {
  const words = usePagesWords().providers;
  const { signIn, person } = useSession();
  useOutcomeOfConnecting();
  if (signIn.providers.length === 0) return null;
  return (
    <Section
      title={words.title}
      lead={person.managedBy === null ? words.lead : words.managed(person.managedBy)}
    >
      <ul className="max-w-md">
        {signIn.providers.map(({ id, name }) => (
          <ProviderRow
            key={id}
            providerId={id}
            name={name}
            isConnected={person.providers.some((connected) => connected.id === id)}
            isManaging={person.managedBy === name}
          />
        ))}
      </ul>
    </Section>
  );
}

interface ProviderRowProps {
  readonly providerId: string;
  readonly name: string;
  readonly isConnected: boolean;
  readonly isManaging: boolean;
}

function ProviderRow({ providerId, name, isConnected, isManaging }: ProviderRowProps) {
  const words = usePagesWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const onError = (failure: unknown) => notices.complain(failureSentence(failure, words));
  const connect = useMutation({
    mutationFn: () => client.call('POST /console/account/providers/connect', { body: { providerId } }),
    onSuccess: ({ url }) => location.assign(url),
    onError,
  });
  const disconnect = useMutation({
    mutationFn: () => client.call('POST /console/account/providers/disconnect', { body: { providerId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.session }),
    onError,
  });
  return (
    <li className="flex items-center justify-between gap-4 border-t border-hairline py-3 first:border-0">
      <p className="min-w-0">
        <span className="font-[550]">{name}</span>
        <span className="ms-2 text-[0.9375rem] text-ink-soft">
          {isConnected ? words.providers.connected : words.providers.notConnected}
        </span>
      </p>
      {!isConnected && (
        <Button size="small" disabled={connect.isPending} onClick={() => connect.mutate()}>
          {words.providers.connect}
        </Button>
      )}
      {isConnected && !isManaging && (
        <Button size="small" disabled={disconnect.isPending} onClick={() => disconnect.mutate()}>
          {words.providers.disconnect}
        </Button>
      )}
    </li>
  );
}

/** The way back from a provider ends here, with what came of it in the address. */
function useOutcomeOfConnecting(): void {
  const words = usePagesWords();
  const notices = useNotices();
  const { signIn } = useSession();
  const search = useSearch();
  const [, goTo] = useLocation();
  useEffect(() => {
    const outcome = new URLSearchParams(search);
    const connected = signIn.providers.find(({ id }) => id === outcome.get('connected'));
    const problem = outcome.get('problem');
    if (connected === undefined && problem === null) return;
    goTo('/settings/account', { replace: true });
    if (connected !== undefined) notices.tell(words.providers.nowConnected(connected.name));
    else if (problem !== null && Object.hasOwn(words.signIn.problems, problem))
      notices.complain(words.signIn.problems[problem as SignInProblem]);
  }, [search, signIn.providers, goTo, notices, words]);
}
