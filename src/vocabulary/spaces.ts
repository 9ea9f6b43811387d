import type { Chat, ChatMessage } from './conversation.ts';
import type { StoredDocument } from './documents.ts';
import type { ProjectAsker } from './project-desk.ts';

/** The space of a project: what its members have together. Whoever is no member finds nothing of it. */

export interface SpaceStore {
  /** Empty when there are none. */
  readInstructions(projectId: string): Promise<SpaceInstructions>;
  writeInstructions(projectId: string, instructions: string, changedAt: number): Promise<void>;
  /** Those that have arrived, the oldest first. */
  listDocuments(projectId: string): Promise<readonly StoredDocument[]>;
  /** Of any space, also one that is arriving. */
  findDocument(documentId: string): Promise<StoredDocument | undefined>;
  countDocumentBytes(projectId: string): Promise<number>;
  /** False when there is none. */
  removeDocument(projectId: string, documentId: string): Promise<boolean>;
  /** A chat has one place at most: a new one takes the place of the old. */
  placeChat(chatId: string, place: ChatPlace): Promise<void>;
  findPlace(chatId: string): Promise<ChatPlace | undefined>;
  displaceChat(chatId: string): Promise<void>;
  /** The newest first. Deleted chats and those of people who may not come in are left out. */
  listShared(projectId: string, limit: number): Promise<readonly ChatInSpace[]>;
  /** The one of them that has this id. */
  findShared(projectId: string, chatId: string): Promise<ChatInSpace | undefined>;
}

export interface SpaceInstructions {
  readonly text: string;
  /** Milliseconds since the epoch; tells whether they are still those that went along with an answer. */
  readonly changedAt: number;
}

export interface ChatPlace {
  readonly projectId: string;
  /** Its questions are asked in the space: with its instructions and documents, on its budget. */
  readonly isInside: boolean;
  /** When its members began to see it; undefined while only the owner does. */
  readonly sharedAt: number | undefined;
}

export interface ChatInSpace {
  readonly chatId: string;
  readonly title: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly sharedAt: number;
  readonly updatedAt: number;
}

/** What an answer that is asked for in a space gets along. */
export interface SpaceOfAnswer {
  readonly projectId: string;
  readonly instructions: SpaceInstructions;
  readonly documents: readonly StoredDocument[];
}

export interface SpaceContent {
  readonly instructions: SpaceInstructions;
  readonly documents: readonly StoredDocument[];
  /** For members only: administrators who are none see no chats. */
  readonly chats: readonly ChatInSpace[];
  readonly storage: { readonly usedBytes: number; readonly limitBytes: number };
}

/**
 * Where members look and leads edit. Every call asks anew who is a member: whoever leaves a project sees nothing more.
 */
export interface SpaceDesk {
  read(asker: ProjectAsker, projectId: string): Promise<SpaceContent>;
  /** For leads and administrators. */
  setInstructions(asker: ProjectAsker, projectId: string, instructions: string): Promise<void>;
  /** For members and administrators: may they look? */
  requireReader(asker: ProjectAsker, projectId: string): void;
  /** For leads and administrators: may a document or a preset be brought? */
  requireKeeper(asker: ProjectAsker, projectId: string): void;
  /** It has arrived: is written down and told. */
  documentAdded(asker: ProjectAsker, document: StoredDocument): Promise<void>;
  removeDocument(asker: ProjectAsker, projectId: string, documentId: string): Promise<void>;
  /** Something of the space that is kept elsewhere is different now: members look again. */
  tellMembers(projectId: string): void;
  /** Of one's own chat. */
  placeOf(personId: string, chatId: string): Promise<ChatPlace | undefined>;
  /** Members read it from now on, as it is and as it will be. */
  share(personId: string, chatId: string, projectId: string): Promise<void>;
  /** Nobody else reads it any more; it stays where it is asked. */
  unshare(personId: string, chatId: string): Promise<void>;
  /** The chat is the owner's alone again, and asked like any other. */
  takeOut(personId: string, chatId: string): Promise<void>;
  /** A lead or administrator takes somebody's chat out of sight; the owner is told. */
  withdraw(asker: ProjectAsker, projectId: string, chatId: string): Promise<void>;
  readChat(
    personId: string,
    projectId: string,
    chatId: string,
  ): Promise<{ readonly chat: Chat; readonly place: ChatInSpace; readonly messages: readonly ChatMessage[] }>;
  /** One's own, in the same space. */
  copyChat(personId: string, projectId: string, chatId: string): Promise<Chat>;
}
