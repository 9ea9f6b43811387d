import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ApiKey } from '#contract/keys';
import { useSession } from '../app/session.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { Icon } from '../design/icon.tsx';
import { Section } from '../design/section.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { useStanding } from '../standing/use-standing.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyRow } from './key-row.tsx';
import { NewSecretDialog, type NewSecret } from './new-secret-dialog.tsx';

export function KeysSection() {
  const words = usePagesWords();
  const client = useClient();
  const queries = useQueryClient();
  const { capabilities } = useSession();
  const [isCreating, setIsCreating] = useState(false);
  const [secret, setSecret] = useState<NewSecret>();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.keys,
    queryFn: () => client.call('GET /console/keys', {}),
    // Last use is worth watching while one tries a key out.
    refetchInterval: 5000,
  });
  const standing = useStanding().data?.standing ?? [];
  const reveal = (next: NewSecret) => {
    setSecret(next);
    void queries.invalidateQueries({ queryKey: queryKeys.keys });
  };
  const keys = data?.keys.toSorted(byUsefulness) ?? [];
  const active = keys.filter(({ state }) => state === 'active').length;
  const isFull = data !== undefined && active >= data.limits.maxKeys;
  return (
    <Section
      title={words.settings.keys}
      lead={
        <>
          {words.keys.lead}{' '}
          <Link href="/connect" className="text-accent underline underline-offset-3">
            {words.keys.whereUsed}
          </Link>
        </>
      }
      actions={
        capabilities.mayCreateKeys && (
          <Button kind="primary" disabled={isFull || data === undefined} onClick={() => setIsCreating(true)}>
            <Icon name="plus" size={16} />
            {words.keys.create}
          </Button>
        )
      }
    >
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {isFull && <p className="mb-4 text-[0.9375rem] text-wait">{words.keys.full(data.limits.maxKeys)}</p>}
      {data !== undefined && keys.length === 0 && <NoKeys />}
      {keys.length > 0 && (
        <ul aria-label={words.settings.keys}>
          {keys.map((key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              reveal={reveal}
              limits={standing.filter(({ keyId }) => keyId === key.id)}
            />
          ))}
        </ul>
      )}
      {data !== undefined && (
        <CreateKeyDialog
          isOpen={isCreating}
          close={() => setIsCreating(false)}
          limits={data.limits}
          reveal={reveal}
        />
      )}
      <NewSecretDialog secret={secret} close={() => setSecret(undefined)} />
    </Section>
  );
}

function NoKeys() {
  const words = usePagesWords();
  return (
    <div className="rounded-xl border border-dashed border-edge px-6 py-8">
      <p className="font-[550]">{words.keys.none}</p>
      <p className="mt-1 max-w-prose text-[0.9375rem] text-ink-soft">{words.keys.noneExplained}</p>
      <pre
        className="mt-4 overflow-x-auto rounded-lg bg-sunken px-4 py-3 font-mono text-[0.84375rem]"
        tabIndex={0}
      >
        {`Authorization: Bearer gh_…`}
      </pre>
    </div>
  );
}

function byUsefulness(a: ApiKey, b: ApiKey): number {
  const isUsable = (key: ApiKey) => (key.state === 'active' ? 0 : 1);
  return isUsable(a) - isUsable(b) || b.createdAt - a.createdAt;
}
