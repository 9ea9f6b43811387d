import { useQuery } from '@tanstack/react-query';
import type { PersonRecord } from '#contract/administration';
import type { ProjectStanding } from '#contract/projects';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { usePagesWords } from '../../language/pages-words.ts';
import { everyone } from '../../standing/everyone.ts';
import { LimitLine } from '../../standing/limit-line.tsx';
import { useListed } from '../../language/language.tsx';

/** What somebody may still use, as they see it themselves; first what binds them everywhere. */
export function PersonStanding({ person }: { readonly person: PersonRecord }) {
  const words = usePagesWords().standing;
  const listed = useListed();
  const client = useClient();
  const standing = useQuery({
    queryKey: queryKeys.personStanding(person.id),
    queryFn: () =>
      client.call('GET /console/administration/people/:personId/standing', { personId: person.id }),
    refetchInterval: 60_000,
  }).data?.standing;
  const keys = useQuery({
    queryKey: queryKeys.personKeys(person.id),
    queryFn: () => client.call('GET /console/administration/people/:personId/keys', { personId: person.id }),
  }).data?.keys;
  // What keys may do in a minute stands beside them.
  const lines = standing?.filter(({ scope, limit }) => scope !== 'key' || limit.startsWith('cost')) ?? [];
  if (lines.length === 0) return null;
  return (
    <ul className="mb-6 divide-y divide-hairline">
      {lines
        .toSorted((left, right) => order.indexOf(left.scope) - order.indexOf(right.scope))
        .map((line) => (
          <LimitLine
            key={[line.scope, line.keyId, line.projectId, line.modelId, line.limit].join(' ')}
            line={line}
            whose={whose(line)}
            leads={undefined}
          />
        ))}
    </ul>
  );

  function whose({ scope, keyId, projectId }: ProjectStanding): string | undefined {
    if (scope === 'person') return undefined;
    if (scope === 'key') return words.ofKey(keys?.find(({ id }) => id === keyId)?.name ?? '');
    const project =
      projectId === everyone ? words.everyone : person.projects.find(({ id }) => id === projectId)?.name;
    return listed([project ?? [], scope === 'project' ? words.ofAll : []].flat());
  }
}

const order: readonly ProjectStanding['scope'][] = ['person', 'member', 'project', 'key'];
