import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Failure } from '../../design/failure.tsx';
import { Section } from '../../design/section.tsx';
import { useManageWords } from '../../language/manage-words.ts';
import { GroupedUsage } from '../usage/grouped-usage.tsx';

/** Who used what of the project lately. */
export function ProjectUsage({ projectId }: { readonly projectId: string }) {
  const words = useManageWords();
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.project(projectId), 'usage'],
    queryFn: () =>
      client.call('GET /console/projects/:projectId/usage', { projectId, query: { by: 'person' } }),
  });
  return (
    <Section title={words.projects.usage}>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data !== undefined && <GroupedUsage report={data} by="person" measure="tokens" />}
    </Section>
  );
}
