import type { Insertable, Kysely, Selectable } from 'kysely';
import type { AuditDetail, AuditEntry, AuditStore } from '#vocabulary/audit';
import type { AuditEntriesTable } from './audit-tables.ts';
import type { Tables } from './tables.ts';
import { isUniquenessViolation } from './uniqueness.ts';

export function createAuditStore(database: Kysely<Tables>, reading: Kysely<Tables>): AuditStore {
  return {
    async append(follow) {
      for (;;) {
        try {
          return await appendOnce(database, follow);
        } catch (cause) {
          // Another gateway has taken this position; its entry comes before ours.
          if (!isUniquenessViolation(cause)) throw cause;
        }
      }
    },

    async list({ kind, personId, actorId, involvedId, since, until, before, limit }) {
      let query = reading.selectFrom('audit_entries').selectAll().orderBy('position', 'desc').limit(limit);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      if (personId !== undefined) query = query.where('person_id', '=', personId);
      if (actorId !== undefined) query = query.where('actor_id', '=', actorId);
      if (involvedId !== undefined)
        query = query.where((where) =>
          where.or([where('person_id', '=', involvedId), where('actor_id', '=', involvedId)]),
        );
      if (since !== undefined) query = query.where('at', '>=', since);
      if (until !== undefined) query = query.where('at', '<', until);
      if (before !== undefined) query = query.where('position', '<', before);
      return (await query.execute()).map(readEntry);
    },

    async read(afterPosition, limit) {
      const query = reading
        .selectFrom('audit_entries')
        .selectAll()
        .where('position', '>', afterPosition)
        .orderBy('position')
        .limit(limit);
      return (await query.execute()).map(readEntry);
    },

    async listUnseen(personId, limit) {
      const query = reading
        .selectFrom('audit_entries')
        .leftJoin('notices_seen', 'notices_seen.person_id', 'audit_entries.person_id')
        .selectAll('audit_entries')
        .where('audit_entries.person_id', '=', personId)
        .where('is_notice', '=', 1)
        .where((where) =>
          where.or([
            where('notices_seen.position', 'is', null),
            where('audit_entries.position', '>', where.ref('notices_seen.position')),
          ]),
        )
        .orderBy('audit_entries.position', 'desc')
        .limit(limit);
      return (await query.execute()).map(readEntry);
    },

    async noteSeen(personId, position) {
      await database
        .insertInto('notices_seen')
        .values({ person_id: personId, position })
        .onConflict((conflict) =>
          conflict
            .column('person_id')
            .doUpdateSet({ position })
            .where('notices_seen.position', '<', position),
        )
        .execute();
    },

    async familiarityOf(personId, { address, userAgent }) {
      const signIns = reading
        .selectFrom('audit_entries')
        .select('position')
        .where('person_id', '=', personId)
        .where('kind', '=', 'sign-in')
        .limit(1);
      const known = await signIns
        .where((where) => where.or([where('address', '=', address), where('user_agent', '=', userAgent)]))
        .executeTakeFirst();
      if (known !== undefined) return 'familiar';
      return (await signIns.executeTakeFirst()) === undefined ? 'never' : 'new';
    },
  };
}

function appendOnce(database: Kysely<Tables>, follow: Parameters<AuditStore['append']>[0]) {
  return database.transaction().execute(async (transaction) => {
    const last = await transaction
      .selectFrom('audit_entries')
      .selectAll()
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst();
    const entry = follow(last === undefined ? undefined : readEntry(last));
    await transaction.insertInto('audit_entries').values(toRow(entry)).execute();
    return entry;
  });
}

function readEntry(row: Selectable<AuditEntriesTable>): AuditEntry {
  return {
    position: row.position,
    at: row.at,
    kind: row.kind,
    actorKind: row.actor_kind,
    actorId: row.actor_id ?? undefined,
    personId: row.person_id ?? undefined,
    address: row.address ?? undefined,
    userAgent: row.user_agent ?? undefined,
    detail: JSON.parse(row.detail) as AuditDetail,
    isNotice: row.is_notice === 1,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}

function toRow(entry: AuditEntry): Insertable<AuditEntriesTable> {
  return {
    position: entry.position,
    at: entry.at,
    kind: entry.kind,
    actor_kind: entry.actorKind,
    actor_id: entry.actorId ?? null,
    person_id: entry.personId ?? null,
    address: entry.address ?? null,
    user_agent: entry.userAgent ?? null,
    detail: JSON.stringify(entry.detail),
    is_notice: entry.isNotice ? 1 : 0,
    previous_hash: entry.previousHash,
    hash: entry.hash,
  };
}
