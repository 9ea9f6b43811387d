import { useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { ChatSummary } from '#contract/chats';
import { useChatAtHand } from '../app/chat-at-hand.ts';
import { useModels } from '../chat/use-models.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { usePaletteWords } from '../language/palette-words.ts';
import { modelsIn, useSpaceOf } from '../spaces/use-spaces.ts';
import { matching, type PaletteEntry, type PaletteGroup } from './entry.ts';
import { useActions } from './use-actions.ts';
import { useFoundMessages } from './use-found-messages.ts';
import { usePresetEntries } from './use-preset-entries.ts';
import { useSpaceEntries } from './use-space-entries.ts';
import { usePages } from './use-pages.ts';

const shownChats = 6;
/** Of what somebody may have many of, before anything is typed. */
const shownAtFirst = 6;

interface Page {
  readonly chats: readonly ChatSummary[];
}

/**
 * What is known here comes first and at once; what the service finds comes below it, so that nothing moves under
 * the finger of somebody who types and presses Enter.
 */
export function useEntries(
  text: string,
  newFolder: () => void,
): { readonly groups: readonly PaletteGroup[]; readonly isLooking: boolean } {
  const words = usePaletteWords();
  const actions = useActions(newFolder);
  const models = useModelEntries();
  const spaces = useSpaceEntries();
  const presets = usePresetEntries();
  const pages = usePages();
  const chats = useKnownChats();
  const { found, isLooking } = useFoundMessages(text);
  const titled = matching(chats, text).slice(0, shownChats);
  const groups =
    text === ''
      ? [
          { name: words.groups.recent, entries: chats.slice(0, shownChats) },
          { name: words.groups.spaces, entries: spaces.slice(0, shownAtFirst) },
          { name: words.groups.actions, entries: actions },
          { name: words.groups.presets, entries: presets.slice(0, shownAtFirst) },
          { name: words.groups.models, entries: models },
          { name: words.groups.pages, entries: pages },
        ]
      : [
          { name: words.groups.chats, entries: titled },
          { name: words.groups.spaces, entries: matching(spaces, text) },
          { name: words.groups.actions, entries: matching(actions, text) },
          { name: words.groups.presets, entries: matching(presets, text) },
          { name: words.groups.models, entries: matching(models, text) },
          { name: words.groups.pages, entries: matching(pages, text) },
          {
            name: words.groups.messages,
            entries: found.filter(
              ({ id, snippet }) =>
                snippet !== undefined || !titled.some((chat) => `message ${chat.id}` === id),
            ),
          },
        ];
  return { groups: groups.filter(({ entries }) => entries.length > 0), isLooking };
}

/** The newest, in folders or not, and those that this window has read already. */
function useKnownChats(): readonly PaletteEntry[] {
  const client = useClient();
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const { data: newest } = useQuery({
    queryKey: [...queryKeys.chats, 'newest'],
    queryFn: () => client.call('GET /console/chats', { query: { limit: 50 } }),
    staleTime: 0,
  });
  const pages = [
    newest,
    queries.getQueryData<Page>(queryKeys.pinnedChats),
    ...(queries.getQueryData<InfiniteData<Page>>(queryKeys.otherChats)?.pages ?? []),
    ...queries.getQueriesData<Page>({ queryKey: ['chats', 'folder'] }).map(([, page]) => page),
  ];
  const chats = new Map(pages.flatMap((page) => page?.chats ?? []).map((chat) => [chat.id, chat]));
  return [...chats.values()]
    .toSorted((one, other) => other.updatedAt - one.updatedAt)
    .map(({ id, title, isPinned }) => ({
      id,
      icon: isPinned ? 'pin' : 'chat',
      label: title,
      run: () => goTo(`/chat/${id}`),
    }));
}

const nowhere = { chatId: null, projectId: undefined };

/** In a chat a model is switched, or a new chat begins with it; elsewhere there is only the second. */
function useModelEntries(): readonly PaletteEntry[] {
  const words = usePaletteWords();
  const models = useModels();
  const hand = useChatAtHand();
  const [, goTo] = useLocation();
  const { conversation } = hand.current;
  const space = useSpaceOf(conversation ?? nowhere);
  const switching =
    conversation === undefined
      ? []
      : modelsIn(space, models)
          .filter(({ id }) => id !== conversation.settings.model)
          .map(({ id, description }): PaletteEntry => ({
            id: `use ${id}`,
            icon: 'refresh',
            label: words.useHere(id),
            note: description,
            run: () => conversation.changeSettings({ model: id }),
          }));
  const starting =
    conversation?.kind === 'new'
      ? []
      : models.map(({ id, description }): PaletteEntry => ({
          id: `start ${id}`,
          icon: 'pencil',
          label: words.startWith(id),
          note: description,
          run: () => {
            hand.current.wanted = { settings: { model: id } };
            goTo('/');
          },
        }));
  return [...switching, ...starting];
}
