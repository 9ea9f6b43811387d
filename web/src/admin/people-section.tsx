import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { useAdministrationWords } from '../language/administration-words.ts';
import { useWords } from '../language/language.tsx';
import { PersonRow } from './person-row.tsx';

export function PeopleSection() {
  const words = useWords();
  const { pages: sections } = useAdministrationWords();
  const client = useClient();
  const [searched, setSearched] = useState('');
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: queryKeys.people(searched),
    queryFn: ({ pageParam }) =>
      client.call('GET /console/administration/people', {
        query: { limit: 100, cursor: pageParam, ...(searched === '' ? {} : { q: searched }) },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const people = data?.pages.flatMap((page) => page.people) ?? [];
  return (
    <>
      <input
        type="search"
        className="field mb-5 max-w-sm"
        aria-label={words.administration.searchPeople}
        placeholder={words.administration.searchPeople}
        value={searched}
        onChange={(event) => setSearched(event.target.value)}
      />
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
