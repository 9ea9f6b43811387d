import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PersonRecord } from '#contract/administration';
import { failureSentence } from '../app/failure-sentence.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Moment } from '../design/moment.tsx';
import { useWords } from '../language/language.tsx';

interface PersonKeysDialogProps {
  readonly person: PersonRecord;
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** Somebody's keys: names, prefixes and use, never a secret. */
export function PersonKeysDialog({ person, isOpen, close }: PersonKeysDialogProps) {
  const words = useWords();
  const client = useClient();
  const queries = useQueryClient();
  const queryKey = queryKeys.personKeys(person.id);
  const { data, error } = useQuery({
    queryKey,
    queryFn: () => client.call('GET /console/administration/people/:personId/keys', { personId: person.id }),
    enabled: isOpen,
  });
  const revoke = useMutation({
    mutationFn: (keyId: string) =>
      client.call('DELETE /console/administration/people/:personId/keys/:keyId', {
        personId: person.id,
        keyId,
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['administration'] }),
  });
  const failure = error ?? revoke.error;
  return (
    <Dialog isOpen={isOpen} close={close} title={words.administration.keysOf(person.name)} isWide>
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
              <code className="font-mono text-[0.84375rem] text-ink-soft">{key.prefix}…</code>
              <span className="block text-sm text-ink-soft">
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
    </Dialog>
  );
}
