import type { Kysely } from 'kysely';
import type { ConversationStore } from '#vocabulary/conversation-store';
import {
  readChat,
  readSummary,
  summaryColumns,
  writeChat,
  writeChatChange,
  writeMessage,
} from './conversation-rows.ts';
import { insertMessages } from './insert-messages.ts';
import type { LivingProcesses } from '#vocabulary/living-processes';
import { placeChat } from './space-store.ts';
import type { Tables } from './tables.ts';

type ChatStore = Pick<
  ConversationStore,
  | 'listChats'
  | 'findChat'
  | 'countChats'
  | 'countStoredBytes'
  | 'insertChat'
  | 'insertChats'
  | 'changeChat'
  | 'deleteChat'
  | 'deleteAllChats'
  | 'restoreChat'
  | 'restoreChats'
  | 'findShared'
  | 'listShared'
>;

/** Few enough that their values are far from what a statement may hold. */
const rowsPerStatement = 50;

export function createChatStore(database: Kysely<Tables>, processes: LivingProcesses): ChatStore {
  return {
    async listChats(personId, { limit, after, pinned, archived, folderId }) {
      let query = database
        .selectFrom('chats')
        .select(summaryColumns)
        .where('person_id', '=', personId)
        .where('deleted_at', 'is', null)
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      if (pinned !== undefined) query = query.where('is_pinned', '=', pinned === 'only' ? 1 : 0);
      if (archived !== 'with')
        query = query.where('archived_at', archived === 'only' ? 'is not' : 'is', null);
      if (folderId !== undefined) query = query.where('folder_id', folderId === null ? 'is' : '=', folderId);
      if (after !== undefined) {
        query = query.where((where) =>
          where(where.refTuple('updated_at', 'id'), '<', where.tuple(after.updatedAt, after.chatId)),
        );
      }
      return (await query.execute()).map(readSummary);
    },

    findChat,

    async countChats(personId) {
      const query = database
        .selectFrom('chats')
        .select((select) => select.fn.countAll<number>().as('chats'))
        .where('person_id', '=', personId);
      return (await query.executeTakeFirstOrThrow()).chats;
    },

    async countStoredBytes(personId) {
      const query = database.selectFrom('person_storage').select('bytes').where('person_id', '=', personId);
      return (await query.executeTakeFirst())?.bytes ?? 0;
    },

    async insertChat(chat, messages, place) {
      await database.transaction().execute(async (transaction) => {
        await transaction.insertInto('chats').values(writeChat(chat)).execute();
        await insertMessages(transaction, chat.id, messages, processes);
        if (place !== undefined) await placeChat(transaction, chat.id, place);
      });
    },

    async insertChats(chats) {
      const messages = chats.flatMap((whole) =>
        whole.messages.map((message) => writeMessage(whole.chat.id, message, processes)),
      );
      const folderIds = new Set(chats.flatMap(({ chat }) => chat.folderId ?? []));
      await database.transaction().execute(async (transaction) => {
        const found = await transaction
          .selectFrom('chat_folders')
          .select('id')
          .where('id', 'in', [...folderIds])
          .forUpdate()
          .execute();
        const known = new Set(found.map(({ id }) => id));
        // A folder that is gone meanwhile is none.
        const placed = chats.map(({ chat }) => ({
          ...chat,
          folderId: known.has(chat.folderId ?? '') ? chat.folderId : null,
        }));
        for (const rows of slicesOf(placed, rowsPerStatement))
          await transaction.insertInto('chats').values(rows.map(writeChat)).execute();
        for (const rows of slicesOf(messages, rowsPerStatement))
          await transaction.insertInto('messages').values(rows).execute();
        for (const { chat, space } of chats)
          if (space !== undefined) await placeChat(transaction, chat.id, space);
      });
    },

    async changeChat(personId, chatId, change) {
      const columns = writeChatChange(change);
      if (Object.keys(columns).length === 0) return findChat(personId, chatId);
      const { folder_id: folderId, ...others } = columns;
      const row = await database
        .updateTable('chats')
        .set((set) => ({
          ...others,
          // A folder that is gone meanwhile is none.
          ...(folderId !== undefined && {
            folder_id: set
              .selectFrom('chat_folders')
              .select('chat_folders.id')
              .where('chat_folders.id', '=', folderId)
              .where('chat_folders.person_id', '=', personId),
          }),
        }))
        .where('id', '=', chatId)
        .where('person_id', '=', personId)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : readChat(row);
    },

    async deleteChat(personId, chatId, deletedAt) {
      const result = await database
        .updateTable('chats')
        .set({ deleted_at: deletedAt })
        .where('id', '=', chatId)
        .where('person_id', '=', personId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async deleteAllChats(personId, deletedAt) {
      const result = await database
        .updateTable('chats')
        .set({ deleted_at: deletedAt })
        .where('person_id', '=', personId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return Number(result.numUpdatedRows);
    },

    async restoreChat(personId, chatId, since) {
      const row = await database
        .updateTable('chats')
        .set({ deleted_at: null })
        .where('id', '=', chatId)
        .where('person_id', '=', personId)
        .where('deleted_at', '>', since)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : readChat(row);
    },

    async restoreChats(personId, deletedAt) {
      const result = await database
        .updateTable('chats')
        .set({ deleted_at: null })
        .where('person_id', '=', personId)
        .where('deleted_at', '=', deletedAt)
        .executeTakeFirst();
      return Number(result.numUpdatedRows);
    },

    async listShared(personId, limit) {
      const rows = await database
        .selectFrom('chats')
        .selectAll()
        .where('person_id', '=', personId)
        .where('share_id', 'is not', null)
        .where('deleted_at', 'is', null)
        .orderBy('shared_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(readChat);
    },

    async findShared(shareId) {
      const row = await database
        .selectFrom('chats')
        .innerJoin('people', 'people.id', 'chats.person_id')
        .selectAll('chats')
        .select('people.name as owner_name')
        .where('share_id', '=', shareId)
        .where('people.state', '=', 'active')
        .where('people.withdrawn_at', 'is', null)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const chat = readChat(row);
      return chat.share === null ? undefined : { chat, share: chat.share, ownerName: row.owner_name };
    },
  };

  async function findChat(personId: string, chatId: string) {
    const row = await database
      .selectFrom('chats')
      .selectAll()
      .where('id', '=', chatId)
      .where('person_id', '=', personId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return row === undefined ? undefined : readChat(row);
  }
}

function* slicesOf<Row>(rows: readonly Row[], length: number): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += length) yield rows.slice(at, at + length);
}
