import { useQuery } from '@tanstack/react-query';
import type { Model } from '../../../src/console/contract/models.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';

/** The models with their health, which is asked for again while somebody looks. */
export function useModels(): readonly Model[] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.models,
    queryFn: () => client.call('GET /console/models', {}),
    refetchInterval: (query) => (query.state.data?.models.every(isWell) === false ? 3000 : 20_000),
  });
  return data?.models ?? noModels;
}

const noModels: readonly Model[] = [];

function isWell(model: Model): boolean {
  return model.health === 'healthy';
}
