import type { Clock } from '#vocabulary/clock';
import type { FolderDesk, FolderStore } from '#vocabulary/folders';
import { mintId } from '#vocabulary/ids';
import { Refusal } from '#vocabulary/refusal';
import type { PersonEvents } from './person-events.ts';

/** More than a sidebar can show; the next one is refused. */
export const maxFoldersPerPerson = 200;

export function createFolderDesk(parts: {
  readonly store: FolderStore;
  readonly events: PersonEvents;
  readonly clock: Clock;
}): FolderDesk {
  const { store, events, clock } = parts;

  return {
    list: (personId) => store.list(personId),

    async create(personId, name) {
      const folder = { id: mintId('folder'), name, createdAt: clock.wallMs() };
      if (!(await store.insert(personId, folder, maxFoldersPerPerson))) {
        throw new Refusal(
          'invalid_request',
          `Nobody has more than ${maxFoldersPerPerson} folders. Delete some first.`,
        );
      }
      await tell(personId);
      return folder;
    },

    async rename(personId, folderId, name) {
      if (!(await store.rename(personId, folderId, name))) throw noSuchFolder();
      const folder = (await tell(personId)).find(({ id }) => id === folderId);
      if (folder === undefined) throw noSuchFolder();
      return folder;
    },

    async remove(personId, folderId) {
      if (!(await store.remove(personId, folderId))) throw noSuchFolder();
      await tell(personId);
    },
  };

  async function tell(personId: string) {
    const folders = await store.list(personId);
    events.announce(personId, { type: 'foldersChanged', folders });
    return folders;
  }
}

export function noSuchFolder(): Refusal {
  return new Refusal('not_found', 'There is no such folder.');
}
