import type { Generated } from 'kysely';

/** Columns of chats: times in milliseconds, structures as JSON text, absence as null. */
export interface ConversationTables {
  chats: ChatsTable;
  chat_folders: ChatFoldersTable;
  messages: MessagesTable;
  tool_consents: ToolConsentsTable;
  person_storage: { person_id: string; bytes: number };
  title_search: { rowid: number; title_search: string };
  message_search: { rowid: number; message_search: string };
  title_piece_search: { rowid: number };
  message_piece_search: { rowid: number };
  piece_search_progress: { texts: 'titles' | 'messages'; done_to: number };
}

export interface ChatsTable {
  /** The search index refers to it. */
  position: Generated<number>;
  id: string;
  person_id: string;
  title: string;
  title_source: 'placeholder' | 'model' | 'person';
  model: string;
  effort: 'low' | 'medium' | 'high' | null;
  system_prompt: string;
  parameters: string;
  is_pinned: number;
  archived_at: number | null;
  folder_id: string | null;
  active_leaf_id: string | null;
  share_id: string | null;
  share_leaf_id: string | null;
  shared_at: number | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
  /** Kept by triggers. */
  bytes: Generated<number>;
}

interface ChatFoldersTable {
  id: string;
  person_id: string;
  name: string;
  created_at: number;
}

interface ToolConsentsTable {
  id: string;
  person_id: string;
  /** Null: for every chat. */
  chat_id: string | null;
  server: string;
  tool: string;
  digest: string;
  given_at: number;
}

export interface MessagesTable {
  /** Grows with time; the search index refers to it. */
  position: Generated<number>;
  id: string;
  chat_id: string;
  parent_id: string | null;
  role: 'user' | 'assistant' | 'tool';
  content: string;
  reasoning: string;
  tool_calls: string;
  tool_call_id: string | null;
  model: string | null;
  effort: 'low' | 'medium' | 'high' | null;
  finish_reason: string | null;
  usage: string | null;
  timings: string | null;
  state: 'complete' | 'running' | 'stopped' | 'interrupted' | 'failed';
  error: string | null;
  generation_id: string | null;
  /** The process that writes it; null when nobody does. */
  written_by: string | null;
  created_at: number;
  deleted_at: number | null;
  documents: string;
  request_ids: Generated<string>;
  /** `good` or `bad`, with a blank and a word behind it if there is one. */
  feedback: Generated<string | null>;
  /** What the model was given for it; null unless it is an answer. */
  context: string | null;
  /** What stands for the conversation up to it. */
  summary: Generated<string | null>;
  /** Which tool of which server gives this result; null when a person does. */
  tool: string | null;
}
