import { useInfiniteQuery } from '@tanstack/react-query';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { Section } from '../design/section.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { ActivityFacts, useHappened } from './activity-line.tsx';

export function ActivitySection() {
  const words = usePagesWords();
  const client = useClient();
  const happened = useHappened();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: queryKeys.activity,
    queryFn: ({ pageParam }) =>
      client.call('GET /console/account/activity', {
        query: { limit: 30, ...(pageParam !== null && { cursor: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <Section title={words.activity.title} lead={words.activity.lead}>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {entries?.length === 0 && <p className="text-ink-soft">{words.activity.none}</p>}
      <ul>
        {entries?.map((entry) => (
          <li key={entry.id} className="border-t border-hairline py-3 first:border-0">
            <p className="font-[550] break-words">{happened(entry)}</p>
            <p className="text-[0.9375rem] break-words text-ink-soft">
              <ActivityFacts entry={entry} />
            </p>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mt-3" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.general.more}
        </Button>
      )}
      <p className="mt-6 text-[0.9375rem] text-ink-soft">{words.activity.notYou}</p>
    </Section>
  );
}
