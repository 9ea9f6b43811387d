import { sql, type Kysely } from 'kysely';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { Tables } from './tables.ts';

/** Few rows in one step: whoever writes meanwhile waits for one step at most. */
const rowsPerStep = 20;

type ChatRemoval = Pick<ConversationStore, 'retireChats' | 'purge' | 'eraseSome'>;

export function createChatRemoval(database: Kysely<Tables>): ChatRemoval {
  return {
    async retireChats(updatedBefore, deletedAt) {
      const rows = await database
        .updateTable('chats')
        .set({ deleted_at: deletedAt })
        .where('id', 'in', (chosen) =>
          chosen
            .selectFrom('chats')
            .select('id')
            .where('deleted_at', 'is', null)
            .where('updated_at', '<', updatedBefore)
            .limit(rowsPerStep),
        )
        .returning(['id', 'person_id'])
        .execute();
      return rows.map((row) => ({ chatId: row.id, personId: row.person_id }));
    },

    /** The messages of a chat go before the chat does: it may be a long one. */
    async purge(deletedBefore) {
      for (const step of [messagesOfChats, chats, messages]) {
        const { numAffectedRows } = await step(deletedBefore).execute(database);
        if (numAffectedRows !== undefined && numAffectedRows > 0n) return Number(numAffectedRows);
      }
      return 0;
    },

    async eraseSome(personId) {
      for (const step of [messagesOfPerson, chatsOfPerson, foldersOfPerson, presetsOfPerson]) {
        const { numAffectedRows } = await step(personId).execute(database);
        if (numAffectedRows !== undefined && numAffectedRows > 0n) return Number(numAffectedRows);
      }
      return 0;
    },
  };
}

const messagesOfPerson = (personId: string) => sql`
  DELETE FROM messages WHERE position IN (
    SELECT messages.position FROM chats JOIN messages ON messages.chat_id = chats.id
    WHERE chats.person_id = ${personId} LIMIT ${rowsPerStep})`;

const chatsOfPerson = (personId: string) => sql`
  DELETE FROM chats WHERE position IN (
    SELECT position FROM chats WHERE person_id = ${personId} LIMIT ${rowsPerStep})`;

const foldersOfPerson = (personId: string) => sql`
  DELETE FROM chat_folders WHERE id IN (
    SELECT id FROM chat_folders WHERE person_id = ${personId} LIMIT ${rowsPerStep})`;

const presetsOfPerson = (personId: string) => sql`
  DELETE FROM presets WHERE scope = 'person' AND owner_id = ${personId}`;

const messagesOfChats = (before: number) => sql`
  DELETE FROM messages WHERE position IN (
    SELECT messages.position FROM chats JOIN messages ON messages.chat_id = chats.id
    WHERE chats.deleted_at < ${before} LIMIT ${rowsPerStep})`;

const chats = (before: number) => sql`
  DELETE FROM chats WHERE position IN (
    SELECT position FROM chats WHERE deleted_at < ${before} LIMIT ${rowsPerStep})`;

const messages = (before: number) => sql`
  DELETE FROM messages WHERE position IN (
    SELECT position FROM messages WHERE deleted_at < ${before} LIMIT ${rowsPerStep})`;
