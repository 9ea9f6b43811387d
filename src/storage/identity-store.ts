import type { Kysely, Selectable } from 'kysely';
import type { IdentityRecord, IdentityStore } from '#vocabulary/account-stores';
import { Refusal } from '#vocabulary/refusal';
import type { IdentitiesTable, Tables } from './tables.ts';
import { isUniquenessViolation } from './uniqueness.ts';

export function createIdentityStore(database: Kysely<Tables>): IdentityStore {
  return {
    async find({ issuer, subject }) {
      const query = database
        .selectFrom('identities')
        .selectAll()
        .where('issuer', '=', issuer)
        .where('subject', '=', subject);
      const row = await query.executeTakeFirst();
      return row === undefined ? undefined : readIdentity(row);
    },

    async listOf(personId) {
      const query = database.selectFrom('identities').selectAll().where('person_id', '=', personId);
      return (await query.orderBy('linked_at').execute()).map(readIdentity);
    },

    async link(personId, { issuer, subject }, now) {
      try {
        await database
          .insertInto('identities')
          .values({
            issuer,
            subject,
            person_id: personId,
            linked_at: now,
            checked_at: now,
            refresh_token: null,
          })
          .execute();
      } catch (cause) {
        if (!isUniquenessViolation(cause)) throw cause;
        throw new Refusal('conflict', 'This sign-in is already linked to an account.', { cause });
      }
    },

    async unlink(personId, issuer) {
      const result = await database
        .deleteFrom('identities')
        .where('person_id', '=', personId)
        .where('issuer', '=', issuer)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async noteChecked({ issuer, subject }, checkedAt, refreshToken) {
      await database
        .updateTable('identities')
        .set({ checked_at: checkedAt, refresh_token: refreshToken ?? null })
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .execute();
    },

    async forgetRefreshToken({ issuer, subject }) {
      await database
        .updateTable('identities')
        .set({ refresh_token: null })
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .execute();
    },

    async listDue(checkedBefore, limit) {
      const query = database
        .selectFrom('identities')
        .innerJoin('people', 'people.id', 'identities.person_id')
        .selectAll('identities')
        .where('refresh_token', 'is not', null)
        .where('checked_at', '<=', checkedBefore)
        .where('withdrawn_at', 'is', null)
        .orderBy('checked_at')
        .limit(limit);
      return (await query.execute()).map(readIdentity);
    },

    async listUnconfirmed(checkedBefore, limit) {
      const query = database
        .selectFrom('people')
        .innerJoin('identities', (join) =>
          join
            .onRef('identities.person_id', '=', 'people.id')
            .onRef('identities.issuer', '=', 'people.managed_by'),
        )
        .selectAll('identities')
        .where('withdrawn_at', 'is', null)
        .where('checked_at', '<=', checkedBefore)
        .limit(limit);
      return (await query.execute()).map(readIdentity);
    },
  };
}

function readIdentity(row: Selectable<IdentitiesTable>): IdentityRecord {
  return {
    issuer: row.issuer,
    subject: row.subject,
    personId: row.person_id,
    checkedAt: row.checked_at,
    refreshToken: row.refresh_token ?? undefined,
  };
}
