import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { countedOrder } from '#contract/counted-order';
import type { Folder } from '#contract/folders';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { useLanguageTag } from '../language/language.tsx';

/** By name. */
export function useFolders(): readonly Folder[] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.folders,
    queryFn: () => client.call('GET /console/folders', {}),
  });
  const tag = useLanguageTag();
  return useMemo(() => {
    const inOrder = countedOrder(tag);
    return data?.folders.toSorted((one, other) => inOrder(one.name, other.name)) ?? none;
  }, [data, tag]);
}

const none: readonly Folder[] = [];
