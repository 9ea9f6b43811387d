import { useQueryClient } from '@tanstack/react-query';
import type { AppearanceView } from '#contract/appearance';
import type { SessionState } from '#contract/session';
import { queryKeys } from '../../client/query-keys.ts';

/** Shows what was saved at once: another gateway that is asked may remember the old look for a moment. */
export function useNoteLook(): (look: AppearanceView) => void {
  const queries = useQueryClient();
  return (look) =>
    void queries.setQueryData<SessionState>(queryKeys.session, (now) =>
      now === undefined ? now : { ...now, service: { ...now.service, ...look } },
    );
}
