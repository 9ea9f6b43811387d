import { useQuery } from '@tanstack/react-query';
import type { Preset } from '#contract/presets';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';

/** One's own first, then those of the service. Undefined until they are there. */
export function usePresets(): readonly Preset[] | undefined {
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.presets,
    queryFn: () => client.call('GET /console/presets', {}),
  });
  return data?.presets;
}

/** Names that begin so, then those that hold it anywhere. */
export function matchingPresets(presets: readonly Preset[], written: string): readonly Preset[] {
  const wanted = written.toLowerCase();
  const begins = presets.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const holds = presets.filter(
    (preset) =>
      !begins.includes(preset) && `${preset.name} ${preset.description}`.toLowerCase().includes(wanted),
  );
  return [...begins, ...holds];
}
