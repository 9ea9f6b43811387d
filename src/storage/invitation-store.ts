import type { Kysely, Selectable } from 'kysely';
import type { InvitationRecord, InvitationStore } from '#vocabulary/account-stores';
import type { InvitationsTable } from './account-tables.ts';
import { insertPerson } from './people-store.ts';
import type { Tables } from './tables.ts';

export function createInvitationStore(database: Kysely<Tables>): InvitationStore {
  return {
    async insert(invitation) {
      await database
        .insertInto('invitations')
        .values({
          id: invitation.id,
          token_digest: invitation.tokenDigest,
          email: invitation.email ?? null,
          role: invitation.role,
          invited_by: invitation.invitedBy,
          created_at: invitation.createdAt,
          expires_at: invitation.expiresAt,
          accepted_at: null,
          revoked_at: null,
          projects: JSON.stringify(invitation.projects),
          letter: invitation.letter ?? null,
        })
        .execute();
    },

    async findByTokenDigest(tokenDigest) {
      const query = database.selectFrom('invitations').selectAll().where('token_digest', '=', tokenDigest);
      const row = await query.executeTakeFirst();
      return row === undefined ? undefined : readInvitation(row);
    },

    async list() {
      const query = database.selectFrom('invitations').selectAll().orderBy('created_at', 'desc').limit(500);
      return (await query.execute()).map(readInvitation);
    },

    accept(invitationId, newcomer) {
      return database.transaction().execute(async (transaction) => {
        const isOpen = await close(transaction, invitationId, newcomer.createdAt, 'accepted_at');
        if (isOpen) await insertPerson(transaction, newcomer);
        return isOpen;
      });
    },

    async noteLetter(invitationId, letter) {
      await database.updateTable('invitations').set({ letter }).where('id', '=', invitationId).execute();
    },

    revoke: (invitationId, now) => close(database, invitationId, now, 'revoked_at'),
  };
}

async function close(
  database: Kysely<Tables>,
  invitationId: string,
  now: number,
  column: 'accepted_at' | 'revoked_at',
): Promise<boolean> {
  const result = await database
    .updateTable('invitations')
    .set({ [column]: now })
    .where('id', '=', invitationId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

function readInvitation(row: Selectable<InvitationsTable>): InvitationRecord {
  return {
    id: row.id,
    tokenDigest: row.token_digest,
    email: row.email ?? undefined,
    role: row.role,
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    acceptedAt: row.accepted_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    projects: JSON.parse(row.projects) as string[],
    letter: row.letter ?? undefined,
  };
}
