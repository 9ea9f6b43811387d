/** Folders in which a person keeps chats. They hold no chat themselves: a chat says which one it is in. */
export interface ChatFolder {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
}

/** Calls find only what belongs to the person they name. */
export interface FolderStore {
  /** By name. */
  list(personId: string): Promise<readonly ChatFolder[]>;
  /** False when the person has as many as `most`. Two that come at once count each other. */
  insert(personId: string, folder: ChatFolder, most: number): Promise<boolean>;
  /** False when there is no such folder. */
  rename(personId: string, folderId: string, name: string): Promise<boolean>;
  /** Its chats stay, in no folder. False when there is no such folder. */
  remove(personId: string, folderId: string): Promise<boolean>;
}

/** Every change is told to all windows of the person. Refuses with `not_found` what is not theirs. */
export interface FolderDesk {
  list(personId: string): Promise<readonly ChatFolder[]>;
  create(personId: string, name: string): Promise<ChatFolder>;
  rename(personId: string, folderId: string, name: string): Promise<ChatFolder>;
  remove(personId: string, folderId: string): Promise<void>;
}
