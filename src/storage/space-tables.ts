/** Columns of spaces: times in milliseconds, absence as null. */
export interface SpaceTables {
  spaces: { project_id: string; instructions: string; changed_at: number };
  space_chats: SpaceChatsTable;
}

interface SpaceChatsTable {
  chat_id: string;
  project_id: string;
  is_inside: number;
  /** Null while only the owner sees it. */
  shared_at: number | null;
}
