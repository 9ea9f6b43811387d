import type { Model } from '#contract/models';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useSearch } from 'wouter';
import type { Conversation } from '../chat/conversation.ts';
import { CallFailed } from '../client/call-failed.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { useWords } from '../language/language.tsx';

/** News come by events; this is for a window that hears none. */
const lookEveryMs = 60_000;

/** The projects of this person. */
export function useSpaces() {
  const client = useClient();
  return (
    useQuery({
      queryKey: queryKeys.spaces,
      queryFn: () => client.call('GET /console/spaces', {}),
      staleTime: 60_000,
    }).data?.spaces ?? []
  );
}

export function useSpace(projectId: string) {
  const client = useClient();
  return useQuery({
    queryKey: queryKeys.space(projectId),
    queryFn: () => client.call('GET /console/spaces/:projectId', { projectId }),
    refetchInterval: lookEveryMs,
  });
}

/** Where a new chat is to begin, by the address. Whoever is no member there begins it outside of projects. */
export function useBeginning(): { readonly projectId: string | undefined; readonly isStranger: boolean } {
  const client = useClient();
  const projectId = new URLSearchParams(useSearch()).get('space') ?? undefined;
  const { data: isStranger = false } = useQuery({
    queryKey: [...queryKeys.space(projectId ?? ''), 'stranger'],
    queryFn: async () => {
      try {
        const space = await client.call('GET /console/spaces/:projectId', { projectId: projectId ?? '' });
        return space.role === null;
      } catch (failure) {
        if (failure instanceof CallFailed && [403, 404].includes(failure.status)) return true;
        throw failure;
      }
    },
    enabled: projectId !== undefined,
  });
  return { projectId: isStranger ? undefined : projectId, isStranger };
}

/** The project in whose space a chat is asked, or a new one begins. */
export function useSpaceOf({ chatId, projectId }: Pick<Conversation, 'chatId' | 'projectId'>) {
  const spaces = useSpaces();
  const place = usePlaceOfChat(chatId);
  const wanted = chatId === null ? projectId : place?.isInside === true ? place.projectId : undefined;
  return spaces.find((space) => space.projectId === wanted);
}

/** Those that may be asked there; all of them outside of projects. */
export function modelsIn(
  space: { readonly models: readonly string[] } | undefined,
  models: readonly Model[],
): readonly Model[] {
  if (space === undefined || space.models.length === 0) return models;
  return models.filter(({ id }) => space.models.includes(id));
}

/** Where a chat of one's own has its place; a new one has none yet. */
export function usePlaceOfChat(chatId: string | null) {
  const client = useClient();
  return useQuery({
    queryKey: queryKeys.placeOfChat(chatId ?? ''),
    queryFn: () => client.call('GET /console/chats/:chatId/space', { chatId: chatId ?? '' }),
    staleTime: 60_000,
    enabled: chatId !== null,
  }).data?.place;
}

/** What one does with the place of a chat; says what went wrong. */
export function useChangePlace(chatId: string) {
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const words = useWords();
  const handlers = {
    onSuccess: (answer: Awaited<ReturnType<typeof unshare>>) => {
      queries.setQueryData(queryKeys.placeOfChat(chatId), answer);
      void queries.invalidateQueries({ queryKey: ['space'] });
    },
    onError: (failure: Error) => notices.complain(failureSentence(failure, words)),
  };
  const unshare = (what: 'share' | 'place') =>
    client.call('DELETE /console/chats/:chatId/space', { chatId, query: { what } });
  const share = useMutation({
    mutationFn: (projectId: string) =>
      client.call('PUT /console/chats/:chatId/space', { chatId, body: { projectId } }),
    ...handlers,
  });
  const end = useMutation({ mutationFn: unshare, ...handlers });
  return { share, end };
}
