import type { FolderDesk } from '#vocabulary/folders';
import { maxFoldersPerPerson } from './folder-desk.ts';

/** Where chats that come from a file go: into the folder of that name, which is made if there is none. */
export interface FolderPlaces {
  /** Null for no folder, and when there is room for no more. */
  find(name: string | null): Promise<string | null>;
}

export function createFolderPlaces(personId: string, folders: FolderDesk): FolderPlaces {
  let known: Map<string, string> | undefined;
  return {
    async find(name) {
      if (name === null) return null;
      known ??= new Map((await folders.list(personId)).map((folder) => [folder.name, folder.id]));
      const folderId = known.get(name);
      if (folderId !== undefined) return folderId;
      if (known.size >= maxFoldersPerPerson) return null;
      const { id } = await folders.create(personId, name);
      known.set(name, id);
      return id;
    },
  };
}
