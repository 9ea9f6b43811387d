import type { Kysely } from 'kysely';
import type { ConversationStore } from '#vocabulary/conversation-store';
import { readMessage, writeMessage, writeProgress } from './conversation-rows.ts';
import type { Tables } from './tables.ts';

const idsPerQuery = 500;

type MessageStore = Pick<
  ConversationStore,
  | 'listMessages'
  | 'findMessage'
  | 'appendMessages'
  | 'saveProgress'
  | 'interruptRunning'
  | 'deleteMessages'
  | 'restoreMessages'
>;

export function createMessageStore(database: Kysely<Tables>): MessageStore {
  return {
    async listMessages(chatId) {
      const query = database
        .selectFrom('messages')
        .selectAll()
        .where('chat_id', '=', chatId)
        .where('deleted_at', 'is', null)
        .orderBy('position');
      return (await query.execute()).map(readMessage);
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
          .set({ updated_at: updatedAt, active_leaf_id: leafId })
          .where('id', '=', chatId)
          .where('deleted_at', 'is', null)
          .executeTakeFirst();
        if (result.numUpdatedRows === 0n) return false;
        for (const message of messages) {
          await transaction.insertInto('messages').values(writeMessage(chatId, message)).execute();
        }
        return true;
      }),

    async saveProgress(chatId, messageId, progress) {
      await database
        .updateTable('messages')
        .set(writeProgress(progress))
        .where('id', '=', messageId)
        .where('chat_id', '=', chatId)
        .where('state', '=', 'running')
        .execute();
    },

    async interruptRunning() {
      const result = await database
        .updateTable('messages')
        .set({ state: 'interrupted', generation_id: null })
        .where('state', '=', 'running')
        .executeTakeFirst();
      return Number(result.numUpdatedRows);
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
