import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Button } from '../../design/button.tsx';
import { classes } from '../../design/classes.ts';
import { CopyButton } from '../../design/copy-button.tsx';
import { Failure } from '../../design/failure.tsx';
import { Icon } from '../../design/icon.tsx';
import { useManageWords } from '../../language/manage-words.ts';

/** Whether the trail is whole, read from its first entry to its last. */
export function ChainState() {
  const { audit } = useManageWords();
  const client = useClient();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: queryKeys.auditVerdict,
    queryFn: () => client.call('GET /console/administration/audit/verdict', {}),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
  if (error !== null) return <Failure failure={error} retry={() => void refetch()} />;
  const isBroken = data !== undefined && data.brokenAt !== null;
  return (
    <div
      role="status"
      className={classes(
        'mb-6 flex flex-wrap items-start gap-x-4 sm:items-center gap-y-2 rounded-lg px-4 py-2.5 text-[0.9375rem]',
        isBroken ? 'bg-danger-wash text-danger' : 'bg-sunken',
      )}
    >
      <span className={classes('max-sm:mt-0.5', isBroken ? 'text-danger' : 'text-accent')}>
        <Icon name={isBroken ? 'warning' : 'shield'} size={18} />
      </span>
      <div className="min-w-0 flex-1 basis-64">
        <p>
          {data === undefined
            ? audit.checking
            : data.brokenAt === null
              ? audit.whole(data.entries)
              : audit.broken(data.brokenAt)}
        </p>
        {data !== undefined && data.brokenAt === null && data.head !== '' && (
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
            {audit.head}
            <span className="flex items-center gap-x-2">
              <code dir="ltr" className="font-mono text-[0.8125rem]">
                {data.head.slice(0, 16)}…
              </code>
              <CopyButton text={data.head} label={audit.head} />
            </span>
            <span>{audit.headHint}</span>
          </p>
        )}
      </div>
      <Button size="small" disabled={isFetching} onClick={() => void refetch()}>
        {audit.checkAgain}
      </Button>
    </div>
  );
}
