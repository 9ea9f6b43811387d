import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Failure } from '../../design/failure.tsx';
import { Section } from '../../design/section.tsx';
import { useManageWords } from '../../language/manage-words.ts';
import { GroupedUsage } from '../usage/grouped-usage.tsx';

/** What somebody used lately, model by model. */
export function PersonUsage({ personId }: { readonly personId: string }) {
  const words = useManageWords();
  const client = useClient();
  const query = { by: 'model', personId } as const;
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.everybodysUsage(query),
    queryFn: () => client.call('GET /console/administration/usage', { query }),
  });
  return (
    <Section title={words.projects.usage}>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data !== undefined && <GroupedUsage report={data} by="model" measure="tokens" />}
    </Section>
  );
}
