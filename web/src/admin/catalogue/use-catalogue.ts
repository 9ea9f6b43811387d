import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CatalogueEntryView } from '#contract/catalogue';
import { failureSentence } from '../../app/failure-sentence.ts';
import { CallFailed } from '../../client/call-failed.ts';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { useEnginesWords } from '../../language/engines-words.ts';
import { useWords } from '../../language/language.tsx';

export type EntryList = 'engines' | 'models';
export type EntryFields = CatalogueEntryView['entry'];

/** Engines and models as they are written. */
export function useCatalogue() {
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.catalogue,
    queryFn: () => client.call('GET /console/administration/catalogue', {}),
  });
  return data ?? { engines: [], models: [] };
}

/** Adds an entry, or puts it in the place of the one of this name. */
export function useSaveEntry(list: EntryList, name: string | undefined, done: () => void) {
  const client = useClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (entry: EntryFields) =>
      name === undefined
        ? client.call('POST /console/administration/catalogue', { body: { list, entry } })
        : client.call('PUT /console/administration/catalogue', { body: { list, name, entry } }),
    onSuccess: async () => {
      await refresh();
      done();
    },
  });
}

/** Asks a real question of what is in the form. Nothing is kept. */
export function useTryEntry(list: EntryList, name: string | undefined) {
  const client = useClient();
  return useMutation({
    mutationFn: ({ entry, upstreamModel }: DraftToTry) =>
      client.call('POST /console/administration/catalogue/try', {
        body: {
          list,
          entry,
          ...(name !== undefined && { name }),
          ...(upstreamModel !== undefined && { upstreamModel }),
        },
      }),
  });
}

interface DraftToTry {
  readonly entry: EntryFields;
  readonly upstreamModel?: string | undefined;
}

export function useRemoveEntry(list: EntryList, name: string, failed: (sentence: string) => void) {
  const client = useClient();
  const refresh = useRefresh();
  const sentenceOf = useEntryFailure();
  return useMutation({
    mutationFn: () => client.call('DELETE /console/administration/catalogue', { query: { list, name } }),
    onError: (failure) => failed(sentenceOf(failure)),
    onSettled: refresh,
  });
}

/** What is wrong with one field; without a field, what no field of the form can show. */
export function useEntryProblems(failure: Error | null, fields: readonly string[]) {
  const sentenceOf = useEntryFailure();
  const field = fieldOf(failure);
  return (asked?: string): string | undefined => {
    if (failure === null) return undefined;
    const shownAt = field !== undefined && fields.includes(field) ? field : undefined;
    return shownAt === asked ? sentenceOf(failure) : undefined;
  };
}

function useEntryFailure(): (failure: Error) => string {
  const words = useEnginesWords();
  const general = useWords();
  return (failure) => {
    const field = fieldOf(failure);
    if (failure instanceof CallFailed && failure.code === 'conflict')
      return field === 'test'
        ? words.testRunning
        : field === 'engines'
          ? words.inUse
          : field === undefined
            ? words.otherMistakes
            : words.taken;
    const known = Object.entries(words.problems).find(([name]) => name === field);
    return known?.[1] ?? failureSentence(failure, general);
  };
}

function fieldOf(failure: Error | null): string | undefined {
  return failure instanceof CallFailed ? failure.param?.split(/[.[]/)[0] : undefined;
}

function useRefresh() {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [queryKeys.catalogue, queryKeys.engines, queryKeys.models].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
}
