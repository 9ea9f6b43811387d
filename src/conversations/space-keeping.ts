import type { AuditTrail } from '#vocabulary/audit';
import type { Clock } from '#vocabulary/clock';
import type { ProjectDirectory } from '#vocabulary/project';
import type { ProjectAsker, ProjectDesk } from '#vocabulary/project-desk';
import { Refusal } from '#vocabulary/refusal';
import { everyone } from '#vocabulary/sharing';
import type { ChatInSpace, ChatPlace, SpaceDesk, SpaceStore } from '#vocabulary/spaces';
import { noSuchChat, noSuchDocument } from './missing.ts';
import type { SpaceNews } from './space-news.ts';

export interface SpaceKeepingParts {
  readonly spaces: SpaceStore;
  readonly projects: Pick<ProjectDirectory, 'isMember'>;
  readonly projectDesk: Pick<ProjectDesk, 'find' | 'requireLead'>;
  readonly news: Pick<SpaceNews, 'changed'>;
  readonly audit: Pick<AuditTrail, 'note'>;
  readonly storagePerProjectBytes: number;
  readonly clock: Clock;
}

/** More shared chats than anybody looks through. */
const maxListed = 500;

/** What a space is, and what its leads do with it. */
export function createSpaceKeeping(
  parts: SpaceKeepingParts,
): Pick<
  SpaceDesk,
  | 'read'
  | 'setInstructions'
  | 'requireReader'
  | 'requireKeeper'
  | 'documentAdded'
  | 'removeDocument'
  | 'tellMembers'
  | 'withdraw'
> {
  const { spaces, projects, projectDesk, news, audit, clock } = parts;

  return {
    async read(asker, projectId) {
      requireReader(asker, projectId);
      const [instructions, documents, usedBytes, chats] = await Promise.all([
        spaces.readInstructions(projectId),
        spaces.listDocuments(projectId),
        spaces.countDocumentBytes(projectId),
        isMember(asker, projectId) ? spaces.listShared(projectId, maxListed) : [],
      ]);
      const storage = { usedBytes, limitBytes: parts.storagePerProjectBytes };
      return { instructions, documents, chats, storage };
    },

    async setInstructions(asker, projectId, instructions) {
      requireKeeper(asker, projectId);
      await spaces.writeInstructions(projectId, instructions, clock.wallMs());
      const detail = { project: projectId, characters: instructions.length };
      await audit.note({ kind: 'space-instructions-changed', by: asker.by, detail });
      news.changed(projectId);
    },

    requireReader,
    requireKeeper,

    async documentAdded(asker, { projectId = '', name, bytes }) {
      const detail = { project: projectId, name, bytes };
      await audit.note({ kind: 'space-document-added', by: asker.by, detail });
      news.changed(projectId);
    },

    async removeDocument(asker, projectId, documentId) {
      requireKeeper(asker, projectId);
      const document = await spaces.findDocument(documentId);
      if (document?.projectId !== projectId || !(await spaces.removeDocument(projectId, documentId)))
        throw noSuchDocument();
      const detail = { project: projectId, name: document.name };
      await audit.note({ kind: 'space-document-removed', by: asker.by, detail });
      news.changed(projectId);
    },

    tellMembers: news.changed,

    async withdraw(asker, projectId, chatId) {
      requireKeeper(asker, projectId);
      const { ownerId } = await findShared(spaces, projectId, chatId);
      const place = await spaces.findPlace(chatId);
      if (place === undefined) throw noSuchChat();
      await hide(spaces, chatId, place);
      news.changed(projectId);
      const detail = { project: projectId };
      await audit.note({ kind: 'space-chat-withdrawn', by: asker.by, personId: ownerId, detail });
    },
  };

  function requireReader(asker: ProjectAsker, projectId: string): void {
    refuseEveryone(projectId);
    projectDesk.find(asker, projectId);
  }

  function requireKeeper(asker: ProjectAsker, projectId: string): void {
    refuseEveryone(projectId);
    projectDesk.requireLead(asker, projectId);
  }

  function isMember({ by }: ProjectAsker, projectId: string): boolean {
    return by.kind === 'person' && projects.isMember(projectId, by.personId);
  }
}

/** The others see it no more; a chat that is asked in the space stays in it. */
export async function hide(spaces: SpaceStore, chatId: string, place: ChatPlace): Promise<void> {
  if (place.isInside) await spaces.placeChat(chatId, { ...place, sharedAt: undefined });
  else await spaces.displaceChat(chatId);
}

export async function findShared(
  spaces: SpaceStore,
  projectId: string,
  chatId: string,
): Promise<ChatInSpace> {
  const shared = await spaces.findShared(projectId, chatId);
  if (shared === undefined) throw noSuchChat();
  return shared;
}

export function noSuchSpace(): Refusal {
  return new Refusal('not_found', 'There is no such project.', { param: 'projectId' });
}

export function refuseEveryone(projectId: string): void {
  if (projectId === everyone) throw noSuchSpace();
}
