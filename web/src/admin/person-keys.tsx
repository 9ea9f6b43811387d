import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { failureSentence } from '../app/failure-sentence.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { Moment } from '../design/moment.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { everyone } from '../standing/everyone.ts';

/** Somebody's keys: names, prefixes and use, never a secret. */
export function PersonKeys({ personId }: { readonly personId: string }) {
  const words = usePagesWords();
  const client = useClient();
  const queries = useQueryClient();
  const queryKey = queryKeys.personKeys(personId);
  const { data, error } = useQuery({
    queryKey,
    queryFn: () => client.call('GET /console/administration/people/:personId/keys', { personId: personId }),
  });
  const revoke = useMutation({
    mutationFn: (keyId: string) =>
      client.call('DELETE /console/administration/people/:personId/keys/:keyId', {
        personId,
        keyId,
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['administration'] }),
  });
  const failure = error ?? revoke.error;
  return (
    <>
      {failure !== null && <p className="text-danger">{failureSentence(failure, words)}</p>}
      {data?.keys.length === 0 && <p className="text-ink-soft">{words.administration.noKeys}</p>}
      <ul>
        {data?.keys.map((key) => (
          <li
            key={key.id}
            className="flex items-center justify-between gap-4 border-t border-hairline py-2.5 first:border-0"
          >
            <p className="min-w-0">
              <span className="font-[550]">{key.name}</span>{' '}
              <code dir="ltr" className="font-mono text-[0.84375rem] text-ink-soft">
                {key.prefix}…
              </code>
              <span className="block text-sm text-ink-soft">
                {key.projectId === everyone ? '' : `${key.projectName} · `}
                {words.keys.lastUsed} <Moment at={key.lastUsedAt} />
              </span>
            </p>
            {key.state === 'active' ? (
              <Button size="small" onClick={() => revoke.mutate(key.id)}>
                {words.keys.revoke}
              </Button>
            ) : (
              <span className="text-sm text-ink-faint">{words.keys.states[key.state]}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
