import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useNotices } from '../../app/notices.tsx';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Failure } from '../../design/failure.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { useWords } from '../../language/language.tsx';
import { useManageWords } from '../../language/manage-words.ts';
import { KeyTable } from './key-table.tsx';

type KeyState = 'active' | 'unused' | 'expired' | 'revoked';

/** Everybody's keys, found and withdrawn. */
export function AllKeysSection() {
  const words = useWords();
  const { keys: keyWords, all } = useManageWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const [searched, setSearched] = useState('');
  const [projectId, setProjectId] = useState('');
  const [state, setState] = useState<KeyState | ''>('active');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setIsAsking] = useState(false);
  const wanted = {
    ...(searched.trim() !== '' && { q: searched.trim() }),
    ...(projectId !== '' && { projectId }),
    ...(state !== '' && { state }),
  };
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: queryKeys.allKeys(wanted),
    queryFn: ({ pageParam }) =>
      client.call('GET /console/administration/keys', {
        query: { ...wanted, cursor: pageParam, limit: 100 },
      }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const { data: projects } = useQuery({
    queryKey: queryKeys.projects,
    queryFn: () => client.call('GET /console/administration/projects', {}),
  });
  const keys = data?.pages.flatMap((page) => page.keys) ?? [];
  const isEmpty = data !== undefined && keys.length === 0;
  /** Whether there is any key, whatever was looked for. */
  const { data: first } = useQuery({
    queryKey: [...queryKeys.allKeys({}), 'first'],
    queryFn: () => client.call('GET /console/administration/keys', { query: { limit: 1 } }),
    enabled: isEmpty,
  });
  const chosen = keys.filter(({ id, state: its }) => its === 'active' && selected.has(id));
  const withdraw = useMutation({
    mutationFn: () =>
      client.call('POST /console/administration/keys/revoke', {
        body: { keyIds: chosen.map(({ id }) => id) },
      }),
    onSuccess: ({ revoked }) => {
      setSelected(new Set());
      notices.tell(keyWords.withdrawn(revoked));
    },
    onError: (failure) => notices.complain(failureSentence(failure, words)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['administration'] }),
  });
  return (
    <>
      <div className="mb-5 grid items-end gap-3 max-sm:grid-cols-2 max-sm:[&>:first-child]:col-span-2 sm:grid-cols-[minmax(0,1fr)_12rem_12rem]">
        <TextField
          label={keyWords.search}
          type="search"
          value={searched}
          onChange={(event) => setSearched(event.target.value)}
        />
        <SelectField
          label={keyWords.project}
          value={projectId}
          onChange={(event) => setProjectId(event.target.value)}
        >
          <option value="">{all}</option>
          {projects?.projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={keyWords.state}
          value={state}
          onChange={(event) => setState(event.target.value as KeyState | '')}
        >
          <option value="">{all}</option>
          {(['active', 'unused', 'expired', 'revoked'] as const).map((each) => (
            <option key={each} value={each}>
              {keyWords.states[each]}
            </option>
          ))}
        </SelectField>
      </div>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {isEmpty && first !== undefined && (
        <p className="text-ink-soft">{first.keys.length === 0 ? keyWords.noneYet : keyWords.none}</p>
      )}
      {chosen.length > 0 && (
        <div className="sticky top-0 z-10 mb-3 flex items-center justify-between gap-4 rounded-lg border border-hairline bg-accent-wash px-4 py-2">
          <p role="status">{keyWords.selected(chosen.length)}</p>
          <Button kind="danger" size="small" onClick={() => setIsAsking(true)}>
            {keyWords.withdraw}
          </Button>
        </div>
      )}
      {keys.length > 0 && <KeyTable keys={keys} selected={selected} select={setSelected} />}
      {hasNextPage && (
        <Button className="mt-4" onClick={() => void fetchNextPage()}>
          {words.general.more}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        close={() => setIsAsking(false)}
        title={keyWords.withdrawTitle(chosen.length)}
        sentence={keyWords.withdrawQuestion}
        action={keyWords.withdraw}
        confirm={() => withdraw.mutate()}
      />
    </>
  );
}
