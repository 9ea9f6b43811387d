import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Model } from '#contract/models';
import { useSession } from '../app/session.tsx';
import type { Client } from '../client/client.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';

/** The models that answer. */
export function useModels(): readonly Model[] {
  const models = useAllModels();
  return useMemo(() => models.filter(answers), [models]);
}

/** Everything that is served, with its health, which is asked for again while somebody looks. */
export function useAllModels(): readonly Model[] {
  const { data } = useQuery({
    ...modelsQuery(useClient()),
    refetchInterval: (query) => (query.state.data?.models.every(isWell) === false ? 3000 : 20_000),
  });
  return data?.models ?? noModels;
}

/** For what cannot wait for the next drawing: a question sent before the list has come. */
export function useModelsNow(): () => Promise<readonly Model[]> {
  const client = useClient();
  const queries = useQueryClient();
  return async () => (await queries.ensureQueryData(modelsQuery(client))).models.filter(answers);
}

/** The one this person prefers, or else the first of the list; one that is down only where all are. */
export function useDefaultModel(): (models: readonly Model[]) => string {
  const { defaultModel } = useSession().person.preferences;
  return (models) => {
    const wished = models.toSorted((one, other) => +(other.id === defaultModel) - +(one.id === defaultModel));
    return (wished.find(({ health }) => health !== 'down') ?? wished[0])?.id ?? '';
  };
}

function modelsQuery(client: Client) {
  return queryOptions({ queryKey: queryKeys.models, queryFn: () => client.call('GET /console/models', {}) });
}

const noModels: readonly Model[] = [];

function answers({ isForEmbeddings }: Model): boolean {
  return !isForEmbeddings;
}

function isWell(model: Model): boolean {
  return model.health === 'healthy';
}
