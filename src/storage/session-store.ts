import type { Kysely, Selectable } from 'kysely';
import type { SessionRecord, SessionStore } from '#vocabulary/account-stores';
import type { SessionsTable } from './account-tables.ts';
import type { Tables } from './tables.ts';

export function createSessionStore(database: Kysely<Tables>): SessionStore {
  return {
    async insert(session) {
      await database
        .insertInto('sessions')
        .values({
          id: session.id,
          person_id: session.personId,
          token_digest: session.tokenDigest,
          created_at: session.createdAt,
          last_seen_at: session.lastSeenAt,
          ends_at: session.endsAt,
          user_agent: session.userAgent,
          address: session.address,
          method: session.method,
          provider_id: session.providerId ?? null,
          id_token: session.idToken ?? null,
          checked_at: session.checkedAt ?? null,
        })
        .execute();
    },

    async findByTokenDigest(tokenDigest) {
      const query = database.selectFrom('sessions').selectAll().where('token_digest', '=', tokenDigest);
      const row = await query.executeTakeFirst();
      return row === undefined ? undefined : readSession(row);
    },

    async listOf(personId) {
      const query = database.selectFrom('sessions').selectAll().where('person_id', '=', personId);
      return (await query.orderBy('last_seen_at', 'desc').execute()).map(readSession);
    },

    async noteSeen(sessionId, seenAt, address) {
      await database
        .updateTable('sessions')
        .set({ last_seen_at: seenAt, address })
        .where('id', '=', sessionId)
        .execute();
    },

    async remove(personId, sessionId) {
      const result = await database
        .deleteFrom('sessions')
        .where('id', '=', sessionId)
        .where('person_id', '=', personId)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async removeAllOf(personId, exceptSessionId = '') {
      const rows = await database
        .deleteFrom('sessions')
        .where('person_id', '=', personId)
        .where('id', '<>', exceptSessionId)
        .returning('id')
        .execute();
      return rows.map((row) => row.id);
    },

    async noteChecked(personId, providerIds, checkedAt) {
      await database
        .updateTable('sessions')
        .set({ checked_at: checkedAt })
        .where('person_id', '=', personId)
        .where('provider_id', 'in', [...providerIds])
        .execute();
    },

    async removeEnded(now, idleSince) {
      await database
        .deleteFrom('sessions')
        .where((where) => where.or([where('ends_at', '<=', now), where('last_seen_at', '<=', idleSince)]))
        .execute();
    },
  };
}

function readSession(row: Selectable<SessionsTable>): SessionRecord {
  return {
    id: row.id,
    personId: row.person_id,
    tokenDigest: row.token_digest,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    endsAt: row.ends_at,
    userAgent: row.user_agent,
    address: row.address,
    method: row.method,
    providerId: row.provider_id ?? undefined,
    idToken: row.id_token ?? undefined,
    checkedAt: row.checked_at ?? undefined,
  };
}
