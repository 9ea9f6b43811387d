import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { LimitsEditor } from './limits-editor.tsx';

interface SubjectLimitsProps {
  readonly scope: 'key' | 'person';
  readonly subjectId: string;
}

/** The limits of one person or of one key: what the settings say for all of them, and what was said of this one. */
export function SubjectLimits({ scope, subjectId }: SubjectLimitsProps) {
  const client = useClient();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: queryKeys.allLimits,
    queryFn: () => client.call('GET /console/administration/limits', {}),
  });
  if (data === undefined) return null;
  const own = data.exceptions.filter((each) => each.scope === scope && each.subjectId === subjectId);
  return (
    <LimitsEditor
      inForce={{ configured: data.configured[scope], exceptions: own }}
      save={async (modelId, limits) => {
        await client.call('PUT /console/administration/limits', {
          body: { scope, subjectId, modelId, limits },
        });
        await queries.invalidateQueries({ queryKey: ['administration'] });
      }}
    />
  );
}
