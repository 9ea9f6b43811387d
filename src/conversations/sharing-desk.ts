import { randomBytes } from 'node:crypto';
import type { Clock } from '#vocabulary/clock';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { ArchiveDesk, SharingDesk } from '#vocabulary/conversations';
import { branchTo } from './branch.ts';
import { copyBranch } from './copy-branch.ts';
import { lastThatFit } from './message-pages.ts';
import { noSuchChat, noSuchMessage, noSuchShare } from './missing.ts';
import type { PersonEvents } from './person-events.ts';

/** More open links than anybody looks through. */
const maxListed = 500;

/** A link shows one branch as it was: messages never change, and later ones are not on it. */
export function createSharingDesk(parts: {
  readonly store: ConversationStore;
  readonly archive: ArchiveDesk;
  readonly events: PersonEvents;
  readonly clock: Clock;
}): SharingDesk {
  const { store, events, clock } = parts;

  return {
    async share(personId, chatId, leafId) {
      const chat = await store.findChat(personId, chatId);
      if (chat === undefined) throw noSuchChat();
      const leaf = await store.findMessage(chatId, leafId);
      if (leaf === undefined || leaf.state === 'running') throw noSuchMessage();
      const id = chat.share?.id ?? randomBytes(18).toString('base64url');
      const share = { id, leafId, sharedAt: clock.wallMs() };
      await change(personId, chatId, share);
      return share;
    },
    unshare: (personId, chatId) => change(personId, chatId, null),
    async list(personId) {
      const chats = await store.listShared(personId, maxListed);
      return chats.flatMap(({ id: chatId, title, share }) =>
        share === null ? [] : [{ shareId: share.id, chatId, title, sharedAt: share.sharedAt }],
      );
    },
    read,
    async copy(personId, shareId) {
      const { chat, share } = await findShared(shareId);
      const branch = branchTo(await store.readOutline(chat.id), share.leafId);
      const copy = await copyBranch(parts, personId, chat, branch);
      if (copy === undefined) throw noSuchShare();
      return copy;
    },
  };

  async function change(
    personId: string,
    chatId: string,
    share: { id: string; leafId: string; sharedAt: number } | null,
  ) {
    const chat = await store.changeChat(personId, chatId, { share });
    if (chat === undefined) throw noSuchChat();
    events.announce(personId, { type: 'chatChanged', chat });
  }

  async function read(shareId: string) {
    const { chat, share, ownerName } = await findShared(shareId);
    const branch = branchTo(await store.readOutline(chat.id), share.leafId);
    const messages = await store.readMessages(
      chat.id,
      lastThatFit(branch).map(({ id }) => id),
    );
    if (messages.length === 0) throw noSuchShare();
    return { chat, ownerName, sharedAt: share.sharedAt, messages };
  }

  async function findShared(shareId: string) {
    const shared = await store.findShared(shareId);
    if (shared === undefined) throw noSuchShare();
    return shared;
  }
}
