import { useQuery } from '@tanstack/react-query';
import type { Folder } from '#contract/folders';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';

/** By name. */
export function useFolders(): readonly Folder[] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.folders,
    queryFn: () => client.call('GET /console/folders', {}),
  });
  return data?.folders ?? none;
}

const none: readonly Folder[] = [];
