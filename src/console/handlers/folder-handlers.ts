import type { folderRoutes } from '#contract/folders';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';

export function createFolderHandlers({ conversations }: ConsoleParts): HandlersOf<typeof folderRoutes> {
  const { folders } = conversations;
  return {
    'GET /console/folders': async ({ session }) => ({ folders: await folders.list(session.person.id) }),

    'POST /console/folders': ({ session, body }) => folders.create(session.person.id, body.name),

    'PATCH /console/folders/:folderId': ({ session, parameters, body }) =>
      folders.rename(session.person.id, parameters.folderId, body.name),

    'DELETE /console/folders/:folderId': async ({ session, parameters }) => {
      await folders.remove(session.person.id, parameters.folderId);
      return { done: true };
    },
  };
}
