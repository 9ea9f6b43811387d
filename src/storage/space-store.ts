import { type Kysely } from 'kysely';
import type { ChatInSpace, ChatPlace, SpaceStore } from '#vocabulary/spaces';
import { readDocument } from './document-store.ts';
import type { Tables } from './tables.ts';

export function createSpaceStore(database: Kysely<Tables>): SpaceStore {
  return {
    async readInstructions(projectId) {
      const row = await database
        .selectFrom('spaces')
        .select(['instructions as text', 'changed_at as changedAt'])
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row ?? { text: '', changedAt: 0 };
    },

    async writeInstructions(projectId, instructions, changedAt) {
      const values = { instructions, changed_at: changedAt };
      await database
        .insertInto('spaces')
        .values({ project_id: projectId, ...values })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
        .execute();
    },

    async listDocuments(projectId) {
      const rows = await database
        .selectFrom('documents')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('state', '=', 'ready')
        .where('removed_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(readDocument);
    },

    async findDocument(documentId) {
      const row = await database
        .selectFrom('documents')
        .selectAll()
        .where('id', '=', documentId)
        .where('project_id', 'is not', null)
        .where('removed_at', 'is', null)
        .executeTakeFirst();
      return row === undefined ? undefined : readDocument(row);
    },

    async countDocumentBytes(projectId) {
      const row = await database
        .selectFrom('documents')
        .select((select) => select.fn.sum<number | string | null>('stored_bytes').as('bytes'))
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return Number(row?.bytes ?? 0);
    },

    async removeDocument(projectId, documentId) {
      const result = await database
        .updateTable('documents')
        .set({ removed_at: Date.now() })
        .where('id', '=', documentId)
        .where('project_id', '=', projectId)
        .where('removed_at', 'is', null)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    placeChat: (chatId, place) => placeChat(database, chatId, place),

    async findPlace(chatId) {
      const row = await database
        .selectFrom('space_chats')
        .selectAll()
        .where('chat_id', '=', chatId)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { project_id: projectId, is_inside: isInside, shared_at: sharedAt } = row;
      return { projectId, isInside: isInside === 1, sharedAt: sharedAt ?? undefined };
    },

    async displaceChat(chatId) {
      await database.deleteFrom('space_chats').where('chat_id', '=', chatId).execute();
    },

    async listShared(projectId, limit) {
      const rows = await sharedIn(projectId).orderBy('chats.updated_at', 'desc').limit(limit).execute();
      return rows.map(readShared);
    },

    async findShared(projectId, chatId) {
      const row = await sharedIn(projectId).where('chats.id', '=', chatId).executeTakeFirst();
      return row === undefined ? undefined : readShared(row);
    },
  };

  function sharedIn(projectId: string) {
    return database
      .selectFrom('space_chats')
      .innerJoin('chats', 'chats.id', 'space_chats.chat_id')
      .innerJoin('people', 'people.id', 'chats.person_id')
      .select([
        'chats.id as chatId',
        'chats.title',
        'people.id as ownerId',
        'people.name as ownerName',
        'space_chats.shared_at as sharedAt',
        'chats.updated_at as updatedAt',
      ])
      .where('space_chats.project_id', '=', projectId)
      .where('space_chats.shared_at', 'is not', null)
      .where('chats.deleted_at', 'is', null)
      .where('people.state', '=', 'active')
      .where('people.withdrawn_at', 'is', null);
  }
}

function readShared(row: Omit<ChatInSpace, 'sharedAt'> & { readonly sharedAt: number | null }): ChatInSpace {
  return { ...row, sharedAt: row.sharedAt ?? row.updatedAt };
}

/** Alone, or in one step with the chat. */
export async function placeChat(
  database: Kysely<Tables>,
  chatId: string,
  { projectId, isInside, sharedAt }: ChatPlace,
): Promise<void> {
  const values = { project_id: projectId, is_inside: isInside ? 1 : 0, shared_at: sharedAt ?? null };
  await database
    .insertInto('space_chats')
    .values({ chat_id: chatId, ...values })
    .onConflict((conflict) => conflict.column('chat_id').doUpdateSet(values))
    .execute();
}

/** A project is gone: its documents are removed little by little, and chats are their owners' alone again. */
export async function removeSpace(transaction: Kysely<Tables>, projectId: string): Promise<void> {
  await transaction.deleteFrom('spaces').where('project_id', '=', projectId).execute();
  await transaction.deleteFrom('space_chats').where('project_id', '=', projectId).execute();
  await transaction
    .deleteFrom('presets')
    .where('scope', '=', 'project')
    .where('owner_id', '=', projectId)
    .execute();
  await transaction
    .updateTable('documents')
    .set({ removed_at: Date.now() })
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .execute();
}

/** What somebody who is removed has brought into spaces stays there, in the name of a lead or an administrator. */
export async function leaveDocuments(transaction: Kysely<Tables>, personId: string): Promise<void> {
  const brought = await transaction
    .selectFrom('documents')
    .select('project_id')
    .distinct()
    .where('person_id', '=', personId)
    .where('project_id', 'is not', null)
    .execute();
  for (const { project_id: projectId } of brought) {
    if (projectId === null) continue;
    const lead = await transaction
      .selectFrom('project_members')
      .select('person_id as id')
      .where('project_id', '=', projectId)
      .where('role', '=', 'lead')
      .where('person_id', '<>', personId)
      .executeTakeFirst();
    const heir = lead ?? (await findAdministrator(transaction, personId));
    if (heir === undefined) continue;
    await transaction
      .updateTable('documents')
      .set({ person_id: heir.id })
      .where('person_id', '=', personId)
      .where('project_id', '=', projectId)
      .execute();
  }
}

function findAdministrator(transaction: Kysely<Tables>, except: string) {
  return transaction
    .selectFrom('people')
    .select('id')
    .where('role', '=', 'administrator')
    .where('id', '<>', except)
    .executeTakeFirst();
}
