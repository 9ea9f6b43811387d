import type { Insertable, Selectable, Updateable } from 'kysely';
import type { AnswerProgress, Chat, ChatMessage, ChatSummary } from '#vocabulary/conversation';
import type { ChatChange } from '#vocabulary/conversation-store';
import type { ChatsTable, MessagesTable } from './conversation-tables.ts';

/** Between what rooms speak of and what the tables hold. */

export const summaryColumns = [
  'id',
  'person_id',
  'title',
  'title_source',
  'model',
  'effort',
  'is_pinned',
  'archived_at',
  'folder_id',
  'active_leaf_id',
  'share_id',
  'share_leaf_id',
  'shared_at',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies readonly (keyof ChatsTable)[];

export type SummaryRow = Pick<Selectable<ChatsTable>, (typeof summaryColumns)[number]>;

export function readChat(row: Selectable<ChatsTable>): Chat {
  return {
    ...readSummary(row),
    systemPrompt: row.system_prompt,
    parameters: JSON.parse(row.parameters) as Chat['parameters'],
  };
}

export function readSummary(row: SummaryRow): ChatSummary {
  const { share_id: shareId, share_leaf_id: leafId, shared_at: sharedAt } = row;
  return {
    id: row.id,
    personId: row.person_id,
    title: row.title,
    titleSource: row.title_source,
    model: row.model,
    effort: row.effort,
    isPinned: row.is_pinned === 1,
    archivedAt: row.archived_at,
    folderId: row.folder_id,
    activeLeafId: row.active_leaf_id,
    share:
      shareId === null || leafId === null || sharedAt === null ? null : { id: shareId, leafId, sharedAt },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
  };
}

export function writeChat(chat: Chat): Insertable<ChatsTable> {
  return {
    id: chat.id,
    person_id: chat.personId,
    title: chat.title,
    title_source: chat.titleSource,
    model: chat.model,
    effort: chat.effort,
    system_prompt: chat.systemPrompt,
    parameters: JSON.stringify(chat.parameters),
    is_pinned: chat.isPinned ? 1 : 0,
    archived_at: chat.archivedAt,
    folder_id: chat.folderId,
    active_leaf_id: chat.activeLeafId,
    share_id: chat.share?.id ?? null,
    share_leaf_id: chat.share?.leafId ?? null,
    shared_at: chat.share?.sharedAt ?? null,
    created_at: chat.createdAt,
    updated_at: chat.updatedAt,
    deleted_at: chat.deletedAt,
  };
}

export function writeChatChange(change: ChatChange): Updateable<ChatsTable> {
  const columns: Updateable<ChatsTable> = {};
  if (change.title !== undefined) columns.title = change.title;
  if (change.titleSource !== undefined) columns.title_source = change.titleSource;
  if (change.isPinned !== undefined) columns.is_pinned = change.isPinned ? 1 : 0;
  if (change.archivedAt !== undefined) columns.archived_at = change.archivedAt;
  if (change.folderId !== undefined) columns.folder_id = change.folderId;
  if (change.activeLeafId !== undefined) columns.active_leaf_id = change.activeLeafId;
  if (change.model !== undefined) columns.model = change.model;
  if (change.effort !== undefined) columns.effort = change.effort;
  if (change.systemPrompt !== undefined) columns.system_prompt = change.systemPrompt;
  if (change.parameters !== undefined) columns.parameters = JSON.stringify(change.parameters);
  if (change.updatedAt !== undefined) columns.updated_at = change.updatedAt;
  if (change.share !== undefined) {
    columns.share_id = change.share?.id ?? null;
    columns.share_leaf_id = change.share?.leafId ?? null;
    columns.shared_at = change.share?.sharedAt ?? null;
  }
  return columns;
}

export function readMessage(row: Selectable<MessagesTable>): ChatMessage {
  return {
    id: row.id,
    parentId: row.parent_id,
    role: row.role,
    content: row.content,
    reasoning: row.reasoning,
    toolCalls: JSON.parse(row.tool_calls) as ChatMessage['toolCalls'],
    toolCallId: row.tool_call_id,
    tool: row.tool === null ? null : (JSON.parse(row.tool) as ChatMessage['tool']),
    model: row.model,
    effort: row.effort,
    finishReason: row.finish_reason,
    usage: row.usage === null ? null : (JSON.parse(row.usage) as ChatMessage['usage']),
    timings: row.timings === null ? null : (JSON.parse(row.timings) as ChatMessage['timings']),
    state: row.state,
    error: row.error === null ? null : (JSON.parse(row.error) as ChatMessage['error']),
    generationId: row.generation_id,
    documents: JSON.parse(row.documents) as ChatMessage['documents'],
    feedback: readFeedback(row.feedback),
    requestIds: JSON.parse(row.request_ids) as ChatMessage['requestIds'],
    context: row.context === null ? null : (JSON.parse(row.context) as ChatMessage['context']),
    summary: row.summary === null ? null : (JSON.parse(row.summary) as ChatMessage['summary']),
    createdAt: row.created_at,
  };
}

export function readFeedback(text: string | null): ChatMessage['feedback'] {
  if (text === null) return null;
  const [verdict, word] = text.split(' ');
  return { verdict, word: word ?? null } as ChatMessage['feedback'];
}

export function writeMessage(
  chatId: string,
  message: ChatMessage,
  writer: { readonly ownId: string },
): Insertable<MessagesTable> {
  return {
    id: message.id,
    chat_id: chatId,
    parent_id: message.parentId,
    role: message.role,
    tool_call_id: message.toolCallId,
    model: message.model,
    effort: message.effort,
    documents: JSON.stringify(message.documents),
    request_ids: JSON.stringify(message.requestIds),
    summary: message.summary === null ? null : JSON.stringify(message.summary),
    created_at: message.createdAt,
    deleted_at: null,
    written_by: message.state === 'running' ? writer.ownId : null,
    ...writeProgress(message),
  };
}

export function writeProgress(progress: AnswerProgress) {
  return {
    content: progress.content,
    reasoning: progress.reasoning,
    tool_calls: JSON.stringify(progress.toolCalls),
    tool: progress.tool === null ? null : JSON.stringify(progress.tool),
    finish_reason: progress.finishReason,
    usage: progress.usage === null ? null : JSON.stringify(progress.usage),
    timings: progress.timings === null ? null : JSON.stringify(progress.timings),
    state: progress.state,
    context: progress.context === null ? null : JSON.stringify(progress.context),
    error: progress.error === null ? null : JSON.stringify(progress.error),
    generation_id: progress.generationId,
  };
}
