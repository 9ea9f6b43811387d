import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { createContext, use, useCallback } from 'react';
import type { SessionState } from '#contract/session';
import { CallFailed } from '../client/call-failed.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';

export type SignedInSession = SessionState & { readonly person: NonNullable<SessionState['person']> };

export const SessionContext = createContext<SignedInSession | undefined>(undefined);

/** Who is signed in. Only below the signed-in part of the app. */
export function useSession(): SignedInSession {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('Only people who are signed in see this.');
  return session;
}

export function useSessionQuery(): UseQueryResult<SessionState> {
  const client = useClient();
  return useQuery({
    queryKey: queryKeys.session,
    queryFn: async () => {
      const session = await client.call('GET /console/session', {});
      client.useToken(session.csrfToken);
      return session;
    },
    staleTime: 60_000,
    retry: (count, failure) => count < 2 && failure instanceof CallFailed && failure.status === 0,
  });
}

/** What the service is called and how it looks; undefined until that is known. */
export function useService(): SessionState['service'] | undefined {
  return use(ServiceContext);
}

export const ServiceContext = createContext<SessionState['service'] | undefined>(undefined);

/** For sign-in, sign-out and password changes, which answer with a new session. */
export function useSessionReplacement(): (session: SessionState) => void {
  const client = useClient();
  const queries = useQueryClient();
  return useCallback(
    (session) => {
      client.useToken(session.csrfToken);
      queries.setQueryData(queryKeys.session, session);
    },
    [client, queries],
  );
}
