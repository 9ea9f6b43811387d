import { sql, type Kysely, type Selectable } from 'kysely';
import type { ConversationStore } from '#vocabulary/conversation-store';
import { readFeedback, readMessage, writeProgress } from './conversation-rows.ts';
import type { MessagesTable } from './conversation-tables.ts';
import { insertMessages } from './insert-messages.ts';
import type { LivingProcesses } from '#vocabulary/living-processes';
import type { Tables } from './tables.ts';

const idsPerQuery = 500;

/** Known to the database without reading the texts. */
const textBytes = sql<number>`octet_length(content) + octet_length(reasoning) + octet_length(tool_calls)`;

type MessageStore = Pick<
  ConversationStore,
  | 'readOutline'
  | 'readMessages'
  | 'findMessage'
  | 'appendMessages'
  | 'addMessages'
  | 'reopenMessage'
  | 'saveFeedback'
  | 'countFeedback'
  | 'saveSummary'
  | 'saveProgress'
  | 'interruptAbandoned'
  | 'deleteMessages'
  | 'restoreMessages'
>;

export function createMessageStore(
  database: Kysely<Tables>,
  reading: Kysely<Tables>,
  processes: LivingProcesses,
): MessageStore {
  return {
    async readOutline(chatId) {
      return await reading
        .selectFrom('messages')
        .select(['id', 'parent_id as parentId', 'state', textBytes.as('bytes')])
        .where('chat_id', '=', chatId)
        .where('deleted_at', 'is', null)
        .orderBy('position')
        .execute();
    },

    async readMessages(chatId, messageIds) {
      const rows: Selectable<MessagesTable>[] = [];
      for (let start = 0; start < messageIds.length; start += idsPerQuery) {
        const query = reading
          .selectFrom('messages')
          .selectAll()
          .where('id', 'in', messageIds.slice(start, start + idsPerQuery))
          .where('chat_id', '=', chatId)
          .where('deleted_at', 'is', null);
        rows.push(...(await query.execute()));
      }
      return rows.toSorted((a, b) => a.position - b.position).map(readMessage);
    },

    async findMessage(chatId, messageId) {
      const query = database
        .selectFrom('messages')
        .selectAll()
        .where('id', '=', messageId)
        .where('chat_id', '=', chatId)
        .where('deleted_at', 'is', null);
      const row = await query.executeTakeFirst();
      return row === undefined ? undefined : readMessage(row);
    },

    appendMessages: (chatId, messages, updatedAt) =>
      database.transaction().execute(async (transaction) => {
        const leafId = messages.at(-1)?.id ?? null;
        const result = await transaction
          .updateTable('chats')
          .set({ updated_at: updatedAt, active_leaf_id: leafId, archived_at: null })
          .where('id', '=', chatId)
          .where('deleted_at', 'is', null)
          .executeTakeFirst();
        if (result.numUpdatedRows === 0n) return false;
        await insertMessages(transaction, chatId, messages, processes);
        return true;
      }),

    async addMessages(chatId, messages) {
      await database.transaction().execute(async (transaction) => {
        await insertMessages(transaction, chatId, messages, processes);
      });
    },

    async reopenMessage(chatId, message) {
      const result = await database
        .updateTable('messages')
        .set({
          ...writeProgress(message),
          request_ids: JSON.stringify(message.requestIds),
          written_by: processes.ownId,
        })
        .where('id', '=', message.id)
        .where('chat_id', '=', chatId)
        .where('deleted_at', 'is', null)
        .where('state', '<>', 'running')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('messages as below')
                .select('below.id')
                .where('below.parent_id', '=', message.id)
                .where('below.deleted_at', 'is', null),
            ),
          ),
        )
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async saveFeedback(chatId, messageId, feedback) {
      const text = feedback === null ? null : [feedback.verdict, feedback.word ?? ''].join(' ').trim();
      const result = await database
        .updateTable('messages')
        .set({ feedback: text })
        .where('id', '=', messageId)
        .where('chat_id', '=', chatId)
        .where('role', '=', 'assistant')
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async countFeedback() {
      const rows = await reading
        .selectFrom('messages')
        .select(({ fn }) => ['model', 'feedback', fn.countAll<number>().as('count')])
        .where('feedback', 'is not', null)
        .where('deleted_at', 'is', null)
        .groupBy(['model', 'feedback'])
        .orderBy('model')
        .orderBy('feedback')
        .execute();
      return rows.flatMap(({ model, feedback, count }) => {
        const said = readFeedback(feedback);
        return said === null ? [] : [{ model: model ?? '', ...said, count }];
      });
    },

    async saveSummary(chatId, messageId, summary) {
      const result = await database
        .updateTable('messages')
        .set({ summary: summary === null ? null : JSON.stringify(summary) })
        .where('id', '=', messageId)
        .where('chat_id', '=', chatId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async saveProgress(chatId, messageId, progress) {
      await database
        .updateTable('messages')
        .set({ ...writeProgress(progress), ...(progress.state !== 'running' && { written_by: null }) })
        .where('id', '=', messageId)
        .where('chat_id', '=', chatId)
        .where('state', '=', 'running')
        .execute();
    },

    async interruptAbandoned() {
      const running = database
        .selectFrom('messages')
        .select('written_by')
        .distinct()
        .where('state', '=', 'running');
      let interrupted = 0;
      for (const { written_by: writer } of await running.execute()) {
        if (writer !== null && (await processes.isAlive(writer))) continue;
        const result = await database
          .updateTable('messages')
          .set({ state: 'interrupted', generation_id: null, written_by: null })
          .where('state', '=', 'running')
          .where('written_by', 'is not distinct from', writer)
          .executeTakeFirst();
        interrupted += Number(result.numUpdatedRows);
      }
      return interrupted;
    },

    async deleteMessages(chatId, messageIds, deletedAt) {
      await database.transaction().execute(async (transaction) => {
        for (let start = 0; start < messageIds.length; start += idsPerQuery) {
          await transaction
            .updateTable('messages')
            .set({ deleted_at: deletedAt })
            .where('id', 'in', messageIds.slice(start, start + idsPerQuery))
            .where('chat_id', '=', chatId)
            .where('deleted_at', 'is', null)
            .execute();
        }
      });
    },

    async restoreMessages(chatId, messageId, since) {
      const deleted = await database
        .selectFrom('messages')
        .select('deleted_at')
        .where('id', '=', messageId)
        .where('chat_id', '=', chatId)
        .where('deleted_at', '>', since)
        .executeTakeFirst();
      if (deleted === undefined) return false;
      await database
        .updateTable('messages')
        .set({ deleted_at: null })
        .where('chat_id', '=', chatId)
        .where('deleted_at', '=', deleted.deleted_at)
        .execute();
      return true;
    },
  };
}
