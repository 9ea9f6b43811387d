import { useLocation } from 'wouter';
import { spaceAddress } from '../spaces/space-line.tsx';
import { useSpaces } from '../spaces/use-spaces.ts';
import type { PaletteEntry } from './entry.ts';

/** The projects of the person: what their members have together. */
export function useSpaceEntries(): readonly PaletteEntry[] {
  const [, goTo] = useLocation();
  return useSpaces().map(({ projectId, name }) => ({
    id: `space ${projectId}`,
    icon: 'people',
    label: name,
    run: () => goTo(spaceAddress(projectId)),
  }));
}
