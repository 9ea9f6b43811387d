import { useQuery } from '@tanstack/react-query';
import type { Preset } from '#contract/presets';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';

/** One's own first, then those of one's projects, then those of the service. Undefined until they are there. */
export function usePresets(): readonly Preset[] | undefined {
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.presets,
    queryFn: () => client.call('GET /console/presets', {}),
  });
  return data?.presets;
}

/** Those of a project; also for an administrator who is no member. */
export function useSpacePresets(projectId: string): readonly Preset[] | undefined {
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.spacePresets(projectId),
    queryFn: () => client.call('GET /console/spaces/:projectId/presets', { projectId }),
  });
  return data?.presets;
}

/** Those of other projects are not for this chat. */
export function forChat(presets: readonly Preset[], projectId: string | undefined): readonly Preset[] {
  return presets.filter((preset) => preset.projectId === null || preset.projectId === projectId);
}

/** The very name, then names that begin so, then those that hold it anywhere. Alike, they stay in their order. */
export function matchingPresets(presets: readonly Preset[], written: string): readonly Preset[] {
  const wanted = written.toLowerCase();
  const exact = presets.filter(({ name }) => name.toLowerCase() === wanted);
  const begins = presets.filter(
    (preset) => !exact.includes(preset) && preset.name.toLowerCase().startsWith(wanted),
  );
  const holds = presets.filter(
    (preset) =>
      !exact.includes(preset) &&
      !begins.includes(preset) &&
      `${preset.name} ${preset.description}`.toLowerCase().includes(wanted),
  );
  return [...exact, ...begins, ...holds];
}
