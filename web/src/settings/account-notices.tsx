import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icon.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { ActivityFacts, useHappened } from './activity-line.tsx';

const lookEveryMs = 60_000;

/** What somebody else did to this account, or from a place it was never used from: told until it was seen. */
export function AccountNotices() {
  const words = usePagesWords().activity;
  const client = useClient();
  const queries = useQueryClient();
  const happened = useHappened();
  const { data } = useQuery({
    queryKey: queryKeys.notices,
    queryFn: () => client.call('GET /console/account/notices', {}),
    refetchInterval: lookEveryMs,
  });
  const acknowledge = useMutation({
    mutationFn: (upTo: string) => client.call('POST /console/account/notices/seen', { body: { upTo } }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.notices }),
  });
  const [newest, ...more] = data?.entries ?? [];
  if (newest === undefined) return null;
  return (
    <section
      aria-label={words.notice}
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1.5 border-b border-hairline bg-wait-wash px-4 py-2 text-[0.9375rem]"
    >
      <p role="status" className="flex min-w-0 items-center gap-2.5">
        <span className="text-wait">
          <Icon name="shield" size={16} />
        </span>
        <span className="min-w-0 break-words">
          <span className="font-[550]">{happened(newest)}</span>{' '}
          <span className="text-ink-soft">
            <ActivityFacts entry={newest} />
            {more.length > 0 && `, ${words.more(more.length)}`}
          </span>
        </span>
      </p>
      <div className="flex items-center gap-3">
        <Link href="/settings/account/activity" className="font-[550] text-accent-strong underline">
          {words.show}
        </Link>
        <Button size="small" disabled={acknowledge.isPending} onClick={() => acknowledge.mutate(newest.id)}>
          {words.seen}
        </Button>
      </div>
    </section>
  );
}
