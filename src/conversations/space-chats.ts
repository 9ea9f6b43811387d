import type { Clock } from '#vocabulary/clock';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { ArchiveDesk } from '#vocabulary/conversations';
import type { ProjectDirectory } from '#vocabulary/project';
import { Refusal } from '#vocabulary/refusal';
import { everyone } from '#vocabulary/sharing';
import type { ChatPlace, SpaceDesk, SpaceStore } from '#vocabulary/spaces';
import type { AnswerRegistry } from './answer-registry.ts';
import { branchTo } from './branch.ts';
import { copyBranch } from './copy-branch.ts';
import { lastThatFit } from './message-pages.ts';
import { noSuchChat } from './missing.ts';
import { findShared, hide, noSuchSpace, refuseEveryone } from './space-keeping.ts';
import type { PersonEvents } from './person-events.ts';
import type { SpaceNews } from './space-news.ts';

/** Chats that members let each other read, where they stand, and copies to go on with. */
export function createSpaceChats(parts: {
  readonly spaces: SpaceStore;
  readonly store: ConversationStore;
  readonly archive: ArchiveDesk;
  readonly registry: Pick<AnswerRegistry, 'newest'>;
  readonly projects: Pick<ProjectDirectory, 'isMember'>;
  readonly news: Pick<SpaceNews, 'changed'>;
  readonly events: Pick<PersonEvents, 'announce'>;
  readonly clock: Clock;
}): Pick<SpaceDesk, 'placeOf' | 'share' | 'unshare' | 'takeOut' | 'readChat' | 'copyChat'> {
  const { spaces, store, projects, news, clock } = parts;

  return {
    placeOf: placeOfOwn,

    async share(personId, chatId, projectId) {
      refuseEveryone(projectId);
      const place = await placeOfOwn(personId, chatId);
      if (!projects.isMember(projectId, personId)) throw noSuchSpace();
      if (place?.isInside === true && place.projectId !== projectId)
        throw new Refusal('conflict', 'This chat belongs to another project. Take it out of there first.');
      const sharedAt = place?.projectId === projectId ? place.sharedAt : undefined;
      const isInside = place?.isInside ?? false;
      await spaces.placeChat(chatId, { projectId, isInside, sharedAt: sharedAt ?? clock.wallMs() });
      if (place !== undefined && place.projectId !== projectId) news.changed(place.projectId);
      news.changed(projectId);
    },

    async unshare(personId, chatId) {
      const place = await placeOfOwn(personId, chatId);
      if (place === undefined) return;
      await hide(spaces, chatId, place);
      news.changed(place.projectId);
    },

    async takeOut(personId, chatId) {
      const place = await placeOfOwn(personId, chatId);
      await spaces.displaceChat(chatId);
      if (place?.sharedAt !== undefined) news.changed(place.projectId);
    },

    async readChat(personId, projectId, chatId) {
      const { chat, place } = await openShared(personId, projectId, chatId);
      const branch = lastThatFit(branchTo(await store.readOutline(chatId), chat.activeLeafId));
      const messages = await store.readMessages(
        chatId,
        branch.map(({ id }) => id),
      );
      const newest = messages.map(parts.registry.newest);
      const generationId = newest.at(-1)?.generationId ?? null;
      if (generationId !== null && place.ownerId !== personId) {
        const { ownerId } = place;
        parts.events.announce(personId, { type: 'answerOpened', projectId, ownerId, generationId });
      }
      return { chat, place, messages: newest };
    },

    async copyChat(personId, projectId, chatId) {
      const { chat } = await openShared(personId, projectId, chatId);
      const whole = branchTo(await store.readOutline(chatId), chat.activeLeafId);
      const branch = whole.at(-1)?.state === 'running' ? whole.slice(0, -1) : whole;
      const space = { projectId, isInside: true, sharedAt: undefined };
      const copy = await copyBranch(parts, personId, chat, branch, space);
      if (copy === undefined) throw noSuchChat();
      return copy;
    },
  };

  async function placeOfOwn(personId: string, chatId: string): Promise<ChatPlace | undefined> {
    if ((await store.findChat(personId, chatId)) === undefined) throw noSuchChat();
    return await spaces.findPlace(chatId);
  }

  async function openShared(personId: string, projectId: string, chatId: string) {
    if (projectId === everyone || !projects.isMember(projectId, personId)) throw noSuchSpace();
    const place = await findShared(spaces, projectId, chatId);
    const chat = await store.findChat(place.ownerId, chatId);
    if (chat === undefined) throw noSuchChat();
    return { chat, place };
  }
}
