import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { createLiveAnswers } from '../chat/live-answers.ts';
import { LiveAnswersContext } from '../chat/live-answers-context.tsx';
import { createClient } from '../client/client.ts';
import { CallFailed } from '../client/call-failed.ts';
import { ClientContext } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Tooltip } from '../design/tooltip.tsx';
import { Front } from './front.tsx';

/** Everything that lives as long as the page. */
export function App() {
  const [{ queries, client, liveAnswers }] = useState(createPage);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <ClientContext value={client}>
          <LiveAnswersContext value={liveAnswers}>
            <Front />
            <Tooltip />
          </LiveAnswersContext>
        </ClientContext>
      </QueryClientProvider>
    </CSPProvider>
  );
}

function createPage() {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // A refusal stays a refusal; only an unreachable or failing server is asked again.
        retry: (count, failure) =>
          count < 2 && !(failure instanceof CallFailed && failure.status >= 400 && failure.status < 500),
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  const client = createClient({
    onSignedOut: () => void queries.invalidateQueries({ queryKey: queryKeys.session }),
  });
  return { queries, client, liveAnswers: createLiveAnswers() };
}
