import { useQuery } from '@tanstack/react-query';
import type { OwnProject, ProjectStanding } from '#contract/projects';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';

export interface OwnStanding {
  readonly projects: readonly OwnProject[];
  readonly standing: readonly ProjectStanding[];
}

/** One's projects and what is left in them, asked for again while somebody looks. */
export function useStanding() {
  const client = useClient();
  return useQuery({
    queryKey: queryKeys.standing,
    queryFn: (): Promise<OwnStanding> => client.call('GET /console/standing', {}),
    refetchInterval: 60_000,
  });
}
