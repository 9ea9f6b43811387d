import type { SearchResult, SharedLink } from '#contract/chats';
import type { SentContext } from '#contract/context';
import type { Feedback } from '#contract/feedback';
import type { Generation, GenerationEvent } from '#contract/generations';
import type { MessageState, NewMessage, Parameters, ToolConsent } from '#contract/messages';
import type { Summary } from '#contract/summaries';
import type { ReasoningEffort } from './catalogue.ts';
import type { Chat, ChatMessage, ChatShare, ChatSummary } from './conversation.ts';
import type { ChatFolder, FolderDesk } from './folders.ts';
import type { ChatPlace, SpaceDesk } from './spaces.ts';

/**
 * What the room `conversations` does for the console. Every call that names a person finds only what is theirs and
 * refuses with `not_found` otherwise, before anything is written.
 */
export interface Conversations {
  readonly chats: ChatDesk;
  readonly folders: FolderDesk;
  readonly sharing: SharingDesk;
  readonly archive: ArchiveDesk;
  readonly spaces: SpaceDesk;
  readonly generations: GenerationDesk;
  /** What the chats of a person take, and may take. */
  storageOf(personId: string): Promise<{ readonly usedBytes: number; readonly limitBytes: number }>;
  readonly storageLimitBytes: number;
  /** Removes for good what a person wrote, in small steps; for somebody who is removed. */
  erase(personId: string): Promise<void>;
  /** Called with whatever happens to this person's chats. Returns a function that stops it. */
  watch(personId: string, listener: (event: ConversationEvent) => void): () => void;
  /** Before the first request: what a gateway that died was writing is interrupted now. */
  start(): Promise<void>;
  /** Interrupts what runs and waits until it is written down. */
  stop(): Promise<void>;
}

export interface ChatWithMessages {
  readonly chat: Chat;
  /** Parents before children. */
  readonly messages: readonly ChatMessage[];
  /** Set when there are earlier messages: read on with it. */
  readonly earlierCursor: string | undefined;
}

export interface ChatSettings {
  readonly model: string;
  readonly effort?: ReasoningEffort | null | undefined;
  readonly systemPrompt?: string | undefined;
  readonly parameters?: Parameters | undefined;
}

export interface ChatDesk {
  list(
    personId: string,
    page: {
      readonly cursor?: string | undefined;
      readonly limit: number;
      readonly pinned?: 'only' | 'without' | undefined;
      readonly archived?: 'only' | 'with' | undefined;
      /** `none`: those in no folder. */
      readonly folder?: string | undefined;
    },
  ): Promise<{ readonly chats: readonly ChatSummary[]; readonly nextCursor: string | null }>;
  search(
    personId: string,
    search: { readonly text: string; readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<{ readonly results: readonly FoundChat[]; readonly nextCursor: string | null }>;
  create(personId: string, chat: ChatSettings & { readonly title?: string | undefined }): Promise<Chat>;
  /** The newest messages, or those before a cursor. */
  read(personId: string, chatId: string, before?: string): Promise<ChatWithMessages>;
  change(
    personId: string,
    chatId: string,
    change: Omit<ChatSettings, 'model'> & {
      readonly model?: string | undefined;
      readonly title?: string | undefined;
      readonly isPinned?: boolean | undefined;
      readonly isArchived?: boolean | undefined;
      readonly folderId?: string | null | undefined;
      /** Any message: the branch is followed down to its newest leaf. */
      readonly activeLeafId?: string | undefined;
    },
  ): Promise<Chat>;
  /** Returns until when it can be undone. */
  remove(personId: string, chatId: string): Promise<number>;
  removeAll(personId: string): Promise<{ readonly count: number; readonly restorableUntil: number }>;
  restore(personId: string, chatId: string): Promise<Chat>;
  /** Undoes the `removeAll` that named this moment. Returns how many are back. */
  restoreAll(personId: string, restorableUntil: number): Promise<number>;
  addMessage(
    personId: string,
    chatId: string,
    message: {
      readonly parentId: string | null;
      readonly role: 'user' | 'assistant';
      readonly content: string;
    },
  ): Promise<ChatMessage>;
  removeMessage(
    personId: string,
    chatId: string,
    messageId: string,
  ): Promise<{ readonly restorableUntil: number; readonly activeLeafId: string | null }>;
  /** Null takes it back. Only answers can be judged. */
  judge(personId: string, chatId: string, messageId: string, feedback: Feedback | null): Promise<void>;
  /** Only one that is there can be edited. */
  editSummary(personId: string, chatId: string, messageId: string, text: string): Promise<Summary>;
  removeSummary(personId: string, chatId: string, messageId: string): Promise<void>;
  restoreMessage(personId: string, chatId: string, messageId: string): Promise<ChatWithMessages>;
}

/** A search result that still knows whose chat it is. */
export interface FoundChat extends Omit<SearchResult, 'chat'> {
  readonly chat: ChatSummary;
}

export interface SharingDesk {
  share(personId: string, chatId: string, leafId: string): Promise<ChatShare>;
  unshare(personId: string, chatId: string): Promise<void>;
  list(personId: string): Promise<readonly SharedLink[]>;
  /** For anybody who is signed in and knows the link. */
  read(shareId: string): Promise<{
    readonly chat: Chat;
    readonly ownerName: string;
    readonly sharedAt: number;
    readonly messages: readonly ChatMessage[];
  }>;
  copy(personId: string, shareId: string): Promise<Chat>;
}

/** A chat without its owner, on its way into or out of a file, a little at a time. */
export interface ArchivedChat {
  readonly head: Omit<Chat, 'id' | 'personId' | 'titleSource' | 'share' | 'deletedAt' | 'folderId'> & {
    /** The name of its folder. */
    readonly folder: string | null;
  };
  /** Parents before children; ids only tie them together. */
  readonly messages: AsyncIterable<readonly ArchivedMessage[]> | Iterable<readonly ArchivedMessage[]>;
  /** Of a copy that is to stand in a space. */
  readonly space?: ChatPlace | undefined;
}

/** Documents do not go along. */
export type ArchivedMessage = Omit<
  ChatMessage,
  'generationId' | 'documents' | 'requestIds' | 'feedback' | 'context'
>;

/** Chats that are understood as a whole before the first is read. */
export interface ChatArchive {
  readonly count: number;
  readonly bytes: number;
  readonly chats: AsyncIterable<ArchivedChat> | Iterable<ArchivedChat>;
}

export interface ArchiveDesk {
  exportChat(personId: string, chatId: string): Promise<ArchivedChat>;
  /** One after the other, newest first. */
  exportAll(personId: string): AsyncIterable<ArchivedChat>;
  exportMarkdown(
    personId: string,
    chatId: string,
  ): Promise<{ readonly title: string; readonly text: AsyncIterable<string> }>;
  importChats(personId: string, archive: ChatArchive): Promise<readonly Chat[]>;
}

export interface GenerationAsk extends ChatSettings {
  readonly personId: string;
  readonly address: string;
  readonly chatId: string | null;
  readonly parentId: string | null;
  readonly newMessages: readonly NewMessage[];
  /** For a new chat: the project in whose space it begins. */
  readonly projectId?: string | undefined;
  /** For this answer alone. */
  readonly seed?: number | undefined;
  readonly requestKey: string;
}

export interface ContinueAsk {
  readonly personId: string;
  readonly address: string;
  readonly chatId: string;
  /** An answer that was cut, at the end of its branch. */
  readonly messageId: string;
  readonly requestKey: string;
}

export interface TemporaryAsk extends ChatSettings {
  readonly personId: string;
  readonly address: string;
  readonly messages: readonly Pick<ChatMessage, 'role' | 'content' | 'toolCalls' | 'toolCallId'>[];
  readonly requestKey: string;
}

export interface ContextAsk extends ChatSettings {
  readonly personId: string;
  readonly projectId?: string | undefined;
  readonly chatId: string | null;
  readonly parentId: string | null;
  readonly content: string;
  readonly documents?: readonly string[] | undefined;
}

export interface GenerationDesk {
  /** What the model would be given; nothing is sent or stored. */
  preview(ask: ContextAsk): Promise<SentContext>;
  /** Writes the new messages and the answer's place, then lets it run. */
  start(ask: GenerationAsk): Promise<{
    readonly generation: Generation;
    readonly chat: Chat;
    readonly messages: readonly ChatMessage[];
  }>;
  /** The same message grows on; refuses one that is complete, or that something follows. */
  continue(ask: ContinueAsk): ReturnType<GenerationDesk['start']>;
  startTemporary(
    ask: TemporaryAsk,
  ): Promise<{ readonly generation: Generation; readonly message: ChatMessage }>;
  listRunning(personId: string): readonly Generation[];
  runningIn(chatId: string): string | null;
  /** Whether this person can subscribe to it: it runs, or ended a few minutes ago. */
  knows(personId: string, generationId: string): boolean;
  /**
   * Calls `listener` with what happened after `after`, at once, and then with what happens. Begins with a snapshot
   * when `after` is undefined or no longer kept. The event `ended` is the last. Returns a function that stops it.
   */
  subscribe(
    personId: string,
    generationId: string,
    after: number | undefined,
    listener: (entry: SequencedEvent) => void,
  ): () => void;
  stop(personId: string, generationId: string): Promise<void>;
  /** For a call of a tool that waits for its person. Refuses with `conflict` when it waits no more. */
  consent(personId: string, generationId: string, decision: ToolConsent | 'refuse'): Promise<void>;
}

export interface SequencedEvent {
  readonly sequence: number;
  readonly event: GenerationEvent;
}

export type ToolCallPiece = Extract<GenerationEvent, { type: 'toolCall' }>;

export type ConversationEvent =
  | { readonly type: 'chatChanged'; readonly chat: Chat }
  | { readonly type: 'chatRemoved'; readonly chatId: string }
  /** Many at once, which are not told one by one: whoever shows lists reads them anew. */
  | { readonly type: 'chatsChanged' }
  | { readonly type: 'foldersChanged'; readonly folders: readonly ChatFolder[] }
  | { readonly type: 'messagesAdded'; readonly chatId: string; readonly messages: readonly ChatMessage[] }
  | { readonly type: 'generationStarted'; readonly generation: Generation }
  | { readonly type: 'generationEnded'; readonly generation: Generation; readonly state: MessageState }
  /** Something in the space of a project is different; whoever looks at it reads it anew. */
  | { readonly type: 'spaceChanged'; readonly projectId: string }
  /** The person is not a member any more. */
  | { readonly type: 'spaceLeft'; readonly projectId: string }
  /** The person reads a chat of somebody else in which this answer is being written, and may hear how it goes on. */
  | {
      readonly type: 'answerOpened';
      readonly projectId: string;
      readonly ownerId: string;
      readonly generationId: string;
    };
