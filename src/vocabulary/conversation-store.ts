import type { Feedback, FeedbackCount } from '#contract/feedback';
import type { Summary } from '#contract/summaries';
import type { AnswerProgress, Chat, ChatMessage, ChatShare, ChatSummary } from './conversation.ts';
import type { FoundChat } from './conversations.ts';
import type { ChatPlace } from './spaces.ts';

/**
 * Chats in the database. Calls that name a person find only that person's chats: a chat of somebody else does
 * not exist for them. Deleted chats and messages are found only where a call says so.
 */
export interface ConversationStore {
  listChats(personId: string, page: ChatPage): Promise<readonly ChatSummary[]>;
  findChat(personId: string, chatId: string): Promise<Chat | undefined>;
  countChats(personId: string): Promise<number>;
  /** Of all chats, also of those whose deletion can be undone. */
  countStoredBytes(personId: string): Promise<number>;
  /** In one step, with the place in a space that it has from its first moment. Messages come parents first. */
  insertChat(chat: Chat, messages: readonly ChatMessage[], place?: ChatPlace): Promise<void>;
  /** All of them in one step. Their messages bring no documents. */
  insertChats(chats: readonly WholeChat[]): Promise<void>;
  changeChat(personId: string, chatId: string, change: ChatChange): Promise<Chat | undefined>;

  deleteChat(personId: string, chatId: string, deletedAt: number): Promise<boolean>;
  /** Returns how many. */
  deleteAllChats(personId: string, deletedAt: number): Promise<number>;
  /** Undoes a deletion that happened after `since`. */
  restoreChat(personId: string, chatId: string, since: number): Promise<Chat | undefined>;
  /** Undoes the deletions of that moment. Returns how many. */
  restoreChats(personId: string, deletedAt: number): Promise<number>;
  /** Deletes some of the chats in which nothing was written since then. None when none is left. */
  retireChats(
    updatedBefore: number,
    deletedAt: number,
  ): Promise<readonly { readonly chatId: string; readonly personId: string }[]>;
  /** Removes for good a little of what one person wrote. Returns how many rows; zero when nothing is left. */
  eraseSome(personId: string): Promise<number>;
  /** Removes for good a little of what was deleted before. Returns how many rows; zero when nothing is left. */
  purge(deletedBefore: number): Promise<number>;

  /** The whole tree without its texts, parents before children. */
  readOutline(chatId: string): Promise<readonly MessageOutline[]>;
  /** Those of the given messages that are there, parents before children. */
  readMessages(chatId: string, messageIds: readonly string[]): Promise<readonly ChatMessage[]>;
  findMessage(chatId: string, messageId: string): Promise<ChatMessage | undefined>;
  /** Adds a chain, makes its last message the active leaf and brings the chat back from the archive. False when it is gone. */
  appendMessages(chatId: string, messages: readonly ChatMessage[], updatedAt: number): Promise<boolean>;
  /** As they are, to a chat that is still deleted. */
  addMessages(chatId: string, messages: readonly ChatMessage[]): Promise<void>;
  /** Opens the last message of its branch to be written on; false when something follows it, or it runs or is gone. */
  reopenMessage(chatId: string, message: ChatMessage): Promise<boolean>;
  /** False when there is no such answer. */
  saveFeedback(chatId: string, messageId: string, feedback: Feedback | null): Promise<boolean>;
  /** How often what was said of each model, by everybody. */
  countFeedback(): Promise<readonly FeedbackCount[]>;
  /** Null takes it away. False when there is no such message. */
  saveSummary(chatId: string, messageId: string, summary: Summary | null): Promise<boolean>;
  saveProgress(chatId: string, messageId: string, progress: AnswerProgress): Promise<void>;
  /** Answers whose process lives no more are interrupted now. Returns how many. */
  interruptAbandoned(): Promise<number>;
  deleteMessages(chatId: string, messageIds: readonly string[], deletedAt: number): Promise<void>;
  /** Brings back all that was deleted together with this message after `since`. */
  restoreMessages(chatId: string, messageId: string, since: number): Promise<boolean>;

  findShared(shareId: string): Promise<SharedRecord | undefined>;
  /** Chats with an open link, the newest link first. */
  listShared(personId: string, limit: number): Promise<readonly Chat[]>;

  /** Each chat once: by its title first, then by its newest message that matches. */
  searchChats(
    personId: string,
    search: SearchTerms,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<readonly FoundChat[]>;
  /** Brings a little of what the search does not know yet into it. False when nothing is left. */
  catchUpSearch(): Promise<boolean>;
}

/** A message as a place in the tree. */
export interface MessageOutline extends Pick<ChatMessage, 'id' | 'parentId' | 'state'> {
  /** Of its texts. */
  readonly bytes: number;
}

export interface ChatPage {
  readonly limit: number;
  /** Continue behind this chat. */
  readonly after: { readonly updatedAt: number; readonly chatId: string } | undefined;
  readonly pinned: 'only' | 'without' | undefined;
  /** Undefined: without those that are put away. */
  readonly archived?: 'only' | 'with' | undefined;
  /** Null: in no folder. Undefined: wherever they are. */
  readonly folderId?: string | null | undefined;
}

export interface ChatChange extends Partial<
  Pick<
    Chat,
    | 'title'
    | 'titleSource'
    | 'isPinned'
    | 'archivedAt'
    | 'folderId'
    | 'activeLeafId'
    | 'model'
    | 'effort'
    | 'systemPrompt'
    | 'parameters'
    | 'updatedAt'
  >
> {
  readonly share?: ChatShare | null;
}

export interface SharedRecord {
  readonly chat: Chat;
  readonly share: ChatShare;
  readonly ownerName: string;
}

/** Words and phrases, in no particular syntax: nothing in them has a meaning of its own. */
export interface SearchTerms {
  readonly terms: readonly string[];
  /** Whether the last term may be the beginning of a word. */
  readonly isLastUnfinished: boolean;
}

export interface WholeChat {
  readonly chat: Chat;
  /** Parents first. */
  readonly messages: readonly ChatMessage[];
  readonly space?: ChatPlace | undefined;
}
