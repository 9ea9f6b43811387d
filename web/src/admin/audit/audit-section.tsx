import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Button, buttonClasses } from '../../design/button.tsx';
import { Failure } from '../../design/failure.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Icon } from '../../design/icon.tsx';
import { useWords } from '../../language/language.tsx';
import { useManageWords } from '../../language/manage-words.ts';
import { useTrailWords } from '../../language/trail-words.ts';
import { endOfDay } from '../projects/project-wishes.ts';
import { AuditTable } from './audit-table.tsx';
import { ChainState } from './chain-state.tsx';

/** Who did what to whom. `?who=` begins with one person. */
export function AuditSection() {
  const words = useWords();
  const { audit, all } = useManageWords();
  const { kinds } = useTrailWords();
  const client = useClient();
  const [who, setWho] = useState(new URLSearchParams(useSearch()).get('who') ?? '');
  const [kind, setKind] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const start = Date.parse(`${from}T00:00:00Z`);
  const end = endOfDay(to);
  const filters = {
    ...(who.trim() !== '' && { who: who.trim() }),
    ...(kind !== '' && { kind }),
    ...(!Number.isNaN(start) && { since: start }),
    ...(end !== null && { until: end + 1 }),
  };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: queryKeys.audit(filters),
    queryFn: ({ pageParam }) =>
      client.call('GET /console/administration/audit', {
        query: { ...filters, limit: 100, ...(pageParam !== null && { cursor: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <ChainState />
      <div className="mb-5 grid items-start gap-3 max-sm:grid-cols-2 max-sm:[&>:nth-child(-n+2)]:col-span-2 sm:grid-cols-2 xl:grid-cols-[minmax(0,1fr)_13rem_9.5rem_9.5rem]">
        <TextField
          label={audit.who}
          hint={audit.whoHint}
          type="search"
          value={who}
          onChange={(event) => setWho(event.target.value)}
        />
        <SelectField label={audit.kind} value={kind} onChange={(event) => setKind(event.target.value)}>
          <option value="">{all}</option>
          {Object.entries(kinds).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label={audit.since}
          type="date"
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
        <TextField
          label={audit.until}
          type="date"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
      </div>
      <div className="mb-4 flex justify-end">
        <a
          href={client.address('GET /console/administration/audit.jsonl', { query: filters })}
          download
          className={buttonClasses('plain')}
        >
          <Icon name="download" size={16} />
          {audit.export}
        </a>
      </div>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data !== undefined && entries.length === 0 && <p className="text-ink-soft">{audit.none}</p>}
      {entries.length > 0 && <AuditTable entries={entries} />}
      {hasNextPage && (
        <Button className="mt-4" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.general.more}
        </Button>
      )}
    </>
  );
}
