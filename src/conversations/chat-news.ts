import type { Clock } from '#vocabulary/clock';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { ConversationEvent } from '#vocabulary/conversations';
import type { FolderStore } from '#vocabulary/folders';
import type { Logger } from '#vocabulary/logger';
import type { Peers } from '#vocabulary/peers';
import type { PersonEvents } from './person-events.ts';
import { shareChanges } from './shared-changes.ts';

/**
 * Tells a person's windows at other gateways what happened here to chats and folders: the stream of a page and what it
 * asks for may be at different ones. What was written is read from the database there. Of answers that are being
 * written `AnswersElsewhere` tells.
 */
export function createChatNews(parts: {
  readonly store: Pick<ConversationStore, 'findChat'>;
  readonly folders: Pick<FolderStore, 'list'>;
  readonly events: PersonEvents;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly logger: Logger;
}): { heard(event: ConversationEvent, personId: string): void } {
  const { store, folders, events, logger } = parts;
  const tellOthers = shareChanges({ ...parts, topic: 'chats/1', announce });

  return {
    heard(event, personId) {
      const what = subjectOf(event);
      if (what !== undefined) tellOthers(`${personId} ${what}`);
    },
  };

  function announce(told: string): void {
    const [personId = '', what = ''] = told.split(' ');
    if (!events.isWatched(personId)) return;
    read(personId, what)
      .then((event) => events.repeat(personId, event))
      .catch((error: unknown) => logger.warn({ error }, 'a window could not be told of a changed chat'));
  }

  async function read(personId: string, what: string): Promise<ConversationEvent> {
    if (what === everyChat) return { type: 'chatsChanged' };
    if (what === everyFolder) return { type: 'foldersChanged', folders: await folders.list(personId) };
    const chat = await store.findChat(personId, what);
    return chat === undefined ? { type: 'chatRemoved', chatId: what } : { type: 'chatChanged', chat };
  }
}

/** No id of a chat is such a word. */
const everyChat = 'chats';
const everyFolder = 'folders';

function subjectOf(event: ConversationEvent): string | undefined {
  switch (event.type) {
    case 'chatChanged':
      return event.chat.id;
    case 'chatRemoved':
      return event.chatId;
    case 'chatsChanged':
      return everyChat;
    case 'foldersChanged':
      return everyFolder;
    default:
      return undefined;
  }
}
