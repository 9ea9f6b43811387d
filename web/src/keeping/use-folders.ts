import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Folder } from '#contract/folders';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { useLanguageTag } from '../language/language.tsx';

/** By name, as people count: 2 before 10. */
export function useFolders(): readonly Folder[] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.folders,
    queryFn: () => client.call('GET /console/folders', {}),
  });
  const tag = useLanguageTag();
  return useMemo(
    () =>
      data?.folders.toSorted((one, other) => one.name.localeCompare(other.name, tag, { numeric: true })) ??
      none,
    [data, tag],
  );
}

const none: readonly Folder[] = [];
