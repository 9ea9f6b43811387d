import { useQueryClient } from '@tanstack/react-query';
import type { Preferences, SessionState } from '#contract/session';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useSession } from '../app/session.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { useWords } from '../language/language.tsx';

/** Changes are shown at once and taken back when the server says no. */
export function usePreferences(): {
  readonly preferences: Preferences;
  readonly change: (change: Partial<Preferences>) => Promise<void>;
} {
  const { person } = useSession();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const words = useWords();
  const show = (preferences: Preferences) =>
    queries.setQueryData<SessionState>(queryKeys.session, (now) =>
      now?.person == null ? now : { ...now, person: { ...now.person, preferences } },
    );
  return {
    preferences: person.preferences,
    async change(change) {
      const before = person.preferences;
      show({ ...before, ...change });
      try {
        await client.call('PATCH /console/account', { body: { preferences: change } });
      } catch (failure) {
        show(before);
        notices.complain(failureSentence(failure, words));
      }
    },
  };
}
