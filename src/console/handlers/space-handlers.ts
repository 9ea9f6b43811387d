import type { spaceRoutes } from '#contract/spaces';
import type { Session } from '#vocabulary/person-desks';
import type { ChatInSpace } from '#vocabulary/spaces';
import { askerOf } from '../actor-of.ts';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { byName, viewSummary } from '../views.ts';
import { viewDocument } from './document-handlers.ts';

const done = { done: true } as const;

export function createSpaceHandlers({
  conversations,
  projectDesk,
  clock,
}: ConsoleParts): HandlersOf<typeof spaceRoutes> {
  const { spaces, generations } = conversations;

  return {
    'GET /console/spaces': async ({ session }) => ({
      spaces: projectDesk
        .membershipsOf(session.person.id)
        .map(({ projectId, name, endsAt, models }) => ({ projectId, name, hasEnded: isOver(endsAt), models }))
        .sort(byName),
    }),

    'GET /console/spaces/:projectId': async ({ session, device, parameters }) => {
      const { projectId } = parameters;
      const asker = askerOf(session, device);
      const { chats, documents, instructions, storage } = await spaces.read(asker, projectId);
      const { name, description, models, endsAt } = projectDesk.find(asker, projectId);
      const role = projectDesk.roleIn(projectId, session.person.id) ?? null;
      return {
        projectId,
        name,
        description,
        hasEnded: isOver(endsAt),
        models,
        isKeeper: asker.isAdministrator || role === 'lead',
        role,
        leads: await projectDesk.leadsOf(projectId),
        members: projectDesk.countMembers(projectId),
        instructions: instructions.text,
        instructionsChangedAt: instructions.changedAt,
        storage,
        documents: documents.map(viewDocument),
        chats: chats.map((chat) => viewShared(chat, session)),
      };
    },

    'PUT /console/spaces/:projectId/instructions': async ({ session, device, parameters, body }) => {
      await spaces.setInstructions(askerOf(session, device), parameters.projectId, body.instructions);
      return done;
    },

    'DELETE /console/spaces/:projectId/documents/:documentId': async ({ session, device, parameters }) => {
      const { projectId, documentId } = parameters;
      await spaces.removeDocument(askerOf(session, device), projectId, documentId);
      return done;
    },

    'GET /console/spaces/:projectId/chats/:chatId': async ({ session, device, parameters }) => {
      const { projectId, chatId } = parameters;
      const { place, messages } = await spaces.readChat(session.person.id, projectId, chatId);
      const { name: projectName } = projectDesk.find(askerOf(session, device), projectId);
      return { ...viewShared(place, session), projectName, messages };
    },

    'POST /console/spaces/:projectId/chats/:chatId/copy': async ({ session, parameters }) => {
      const { projectId, chatId } = parameters;
      return viewSummary(await spaces.copyChat(session.person.id, projectId, chatId), generations);
    },

    'DELETE /console/spaces/:projectId/chats/:chatId': async ({ session, device, parameters }) => {
      await spaces.withdraw(askerOf(session, device), parameters.projectId, parameters.chatId);
      return done;
    },

    'GET /console/chats/:chatId/space': ({ session, parameters }) =>
      viewPlace(session.person.id, parameters.chatId),

    'PUT /console/chats/:chatId/space': async ({ session, parameters, body }) => {
      await spaces.share(session.person.id, parameters.chatId, body.projectId);
      return viewPlace(session.person.id, parameters.chatId);
    },

    'DELETE /console/chats/:chatId/space': async ({ session, parameters, query }) => {
      const end = query.what === 'share' ? spaces.unshare : spaces.takeOut;
      await end(session.person.id, parameters.chatId);
      return viewPlace(session.person.id, parameters.chatId);
    },
  };

  async function viewPlace(personId: string, chatId: string) {
    const place = await spaces.placeOf(personId, chatId);
    if (place === undefined) return { place: null };
    const { projectId, isInside, sharedAt } = place;
    return {
      place: {
        projectId,
        name: projectDesk.describe(projectId, personId).name,
        isInside,
        isShared: sharedAt !== undefined,
        isMember: projectDesk.roleIn(projectId, personId) !== undefined,
      },
    };
  }

  function isOver(endsAt: number | undefined): boolean {
    return endsAt !== undefined && endsAt <= clock.wallMs();
  }
}

function viewShared({ ownerId, ownerName, ...chat }: ChatInSpace, { person }: Session) {
  return { ...chat, sharedBy: ownerName, isOwn: ownerId === person.id };
}
