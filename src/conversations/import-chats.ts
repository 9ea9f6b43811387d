import type { Clock } from '#vocabulary/clock';
import type { Chat, ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore, WholeChat } from '#vocabulary/conversation-store';
import type { ArchivedChat, ArchivedMessage, ChatArchive } from '#vocabulary/conversations';
import type { FolderDesk } from '#vocabulary/folders';
import { mintId } from '#vocabulary/ids';
import { newestLeafBelow } from './branch.ts';
import { createFolderPlaces } from './folder-places.ts';
import { noSuchChat } from './missing.ts';
import type { ChatPlace } from '#vocabulary/spaces';
import type { PersonEvents } from './person-events.ts';

/** Written in one step: whoever writes meanwhile waits for one step at most. */
const messagesPerStep = 200;
const charactersPerStep = 1024 * 1024;

interface ImportParts {
  readonly store: ConversationStore;
  readonly folders: FolderDesk;
  readonly events: PersonEvents;
  readonly clock: Clock;
}

/** New ids for everything. Short chats are written many at a time, a long one a little at a time. */
export async function importChats(
  parts: ImportParts,
  personId: string,
  { chats }: ChatArchive,
): Promise<readonly Chat[]> {
  const { store, events, clock } = parts;
  const places = createFolderPlaces(personId, parts.folders);
  const imported: Chat[] = [];
  let waiting: WholeChat[] = [];
  let size = { messages: 0, characters: 0 };

  try {
    for await (const archived of chats) {
      const { folder, activeLeafId, ...head } = archived.head;
      const place = { folderId: await places.find(folder), activeLeafId, space: archived.space };
      const slices = readAhead(archived.messages);
      const first = await slices.next();
      if (first.isLast) await add(newChat(head), first.slice, place);
      else {
        await flush();
        imported.push(await writeLong(newChat(head), first.slice, slices, place));
      }
    }
    await flush();
  } finally {
    if (imported.length > 0) events.announce(personId, { type: 'chatsChanged' });
  }
  return imported;

  function newChat(head: Omit<ArchivedChat['head'], 'folder' | 'activeLeafId'>): Chat {
    const now = clock.wallMs();
    return {
      ...head,
      id: mintId('chat'),
      personId,
      titleSource: 'person',
      activeLeafId: null,
      archivedAt: head.archivedAt === null ? null : Math.min(head.archivedAt, now),
      folderId: null,
      share: null,
      createdAt: Math.min(head.createdAt, now),
      updatedAt: Math.min(head.updatedAt, now),
      deletedAt: null,
    };
  }

  async function add(chat: Chat, slice: readonly ArchivedMessage[], place: Place): Promise<void> {
    const tree = createRenaming(clock.wallMs());
    const messages = slice.map(tree.rename);
    const { folderId, space } = place;
    const activeLeafId = tree.leafOf(place.activeLeafId);
    waiting.push({ chat: { ...chat, folderId, activeLeafId }, messages, space });
    size = {
      messages: size.messages + messages.length + 1,
      characters: size.characters + messages.reduce((sum, message) => sum + message.content.length, 0),
    };
    if (size.messages >= messagesPerStep || size.characters >= charactersPerStep) await flush();
  }

  async function flush(): Promise<void> {
    const written = waiting;
    waiting = [];
    size = { messages: 0, characters: 0 };
    if (written.length === 0) return;
    await store.insertChats(written);
    imported.push(...written.map(({ chat }) => chat));
  }

  /** Deleted until it is complete: what is given up half way goes the way of all deleted chats. */
  async function writeLong(
    chat: Chat,
    first: readonly ArchivedMessage[],
    rest: ReturnType<typeof readAhead>,
    place: Place,
  ): Promise<Chat> {
    const now = clock.wallMs();
    const tree = createRenaming(now);
    await store.insertChat({ ...chat, deletedAt: now }, [], place.space);
    await store.addMessages(chat.id, first.map(tree.rename));
    for (let isLast = false; !isLast;) {
      const next = await rest.next();
      await store.addMessages(chat.id, next.slice.map(tree.rename));
      isLast = next.isLast;
    }
    await store.restoreChat(personId, chat.id, now - 1);
    const { folderId } = place;
    const activeLeafId = tree.leafOf(place.activeLeafId);
    const whole = await store.changeChat(personId, chat.id, { activeLeafId, folderId });
    if (whole === undefined) throw noSuchChat();
    return whole;
  }
}

interface Place {
  readonly folderId: string | null;
  /** As the archive names it. */
  readonly activeLeafId: string | null;
  readonly space: ChatPlace | undefined;
}

/** Slices of messages, each with whether another one follows. */
function readAhead(slices: ArchivedChat['messages']) {
  const iterator = (async function* () {
    yield* slices;
  })();
  let ahead = iterator.next();
  return {
    async next(): Promise<{ readonly slice: readonly ArchivedMessage[]; readonly isLast: boolean }> {
      const here = await ahead;
      if (here.done === true) return { slice: [], isLast: true };
      ahead = iterator.next();
      const { done = false } = await ahead;
      return { slice: here.value, isLast: done };
    },
  };
}

/** The messages of one chat under ids of our own. */
function createRenaming(now: number) {
  const newIds = new Map<string, string>();
  const tree: { id: string; parentId: string | null }[] = [];
  return {
    rename(message: ArchivedMessage): ChatMessage {
      const id = mintId('message');
      const parentId = message.parentId === null ? null : (newIds.get(message.parentId) ?? null);
      newIds.set(message.id, id);
      tree.push({ id, parentId });
      return {
        ...message,
        id,
        parentId,
        createdAt: Math.min(message.createdAt, now),
        generationId: null,
        // Documents belong to whoever brought them.
        documents: [],
        requestIds: [],
        feedback: null,
        context: null,
        // Receipts belong to whoever asked.
        summary: message.summary && { ...message.summary, requestIds: [] },
      };
    },
    /** The newest where the archive names none that it has. */
    leafOf: (named: string | null): string | null =>
      (named === null ? undefined : newIds.get(named)) ?? newestLeafBelow(tree, null),
  };
}
