import { useQueryClient } from '@tanstack/react-query';
import { useClient } from '../client/client-context.tsx';
import { forgetDrafts } from '../composer/drafts.ts';
import { useWords } from '../language/language.tsx';
import { failureSentence } from './failure-sentence.ts';
import { useNotices } from './notices.tsx';

/** Leaves nothing of the person behind in this browser. */
export function useSignOut(): (scope: 'here' | 'everywhere') => Promise<void> {
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const words = useWords();
  return async (scope) => {
    try {
      const { providerSignOutUrl } = await client.call('POST /console/sign-out', { body: { scope } });
      forgetDrafts();
      queries.clear();
      location.assign(providerSignOutUrl ?? '/sign-in');
    } catch (failure) {
      notices.complain(failureSentence(failure, words));
    }
  };
}
