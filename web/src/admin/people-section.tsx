import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { PersonRecord } from '#contract/administration';
import type { Role } from '#contract/fields';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button, buttonClasses } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { SelectField, TextField } from '../design/field.tsx';
import { Icon } from '../design/icon.tsx';
import { useAdministrationWords } from '../language/administration-words.ts';
import { usePagesWords } from '../language/pages-words.ts';
import { useManageWords } from '../language/manage-words.ts';
import { PersonRow } from './person-row.tsx';

export function PeopleSection() {
  const words = usePagesWords();
  const { pages: sections } = useAdministrationWords();
  const client = useClient();
  const { all, people: manageWords } = useManageWords();
  const [searched, setSearched] = useState('');
  const [state, setState] = useState<PersonRecord['state'] | ''>('');
  const [role, setRole] = useState<Role | ''>('');
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [...queryKeys.people(searched), state, role],
    queryFn: ({ pageParam }) =>
      client.call('GET /console/administration/people', {
        query: {
          limit: 100,
          cursor: pageParam,
          ...(searched !== '' && { q: searched }),
          ...(state !== '' && { state }),
          ...(role !== '' && { role }),
        },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const people = data?.pages.flatMap((page) => page.people) ?? [];
  return (
    <>
      <div className="mb-5 grid items-end gap-3 max-sm:grid-cols-2 max-sm:[&>:is(:first-child,:last-child)]:col-span-2 sm:grid-cols-[minmax(0,1fr)_10rem_10rem_auto]">
        <TextField
          label={words.administration.searchPeople}
          type="search"
          value={searched}
          onChange={(event) => setSearched(event.target.value)}
        />
        <SelectField
          label={manageWords.state}
          value={state}
          onChange={(event) => setState(event.target.value as PersonRecord['state'] | '')}
        >
          <option value="">{all}</option>
          {(['active', 'pending', 'disabled', 'withdrawn'] as const).map((each) => (
            <option key={each} value={each}>
              {words.administration.states[each]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={manageWords.role}
          value={role}
          onChange={(event) => setRole(event.target.value as Role | '')}
        >
          <option value="">{all}</option>
          {(['person', 'administrator'] as const).map((each) => (
            <option key={each} value={each}>
              {words.roles[each]}
            </option>
          ))}
        </SelectField>
        <Link href="/administration/invitations" className={buttonClasses('primary')}>
          <Icon name="plus" size={16} />
          {manageWords.invite}
        </Link>
      </div>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data !== undefined && people.length === 0 && (
        <p className="text-ink-soft">{words.administration.nobody}</p>
      )}
      <ul aria-label={sections.people.title}>
        {people.map((person) => (
          <PersonRow key={person.id} person={person} />
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mt-4" onClick={() => void fetchNextPage()}>
          {words.general.more}
        </Button>
      )}
    </>
  );
}
