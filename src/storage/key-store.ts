import type { Insertable, Kysely, Selectable } from 'kysely';
import { everyone } from '#vocabulary/sharing';
import type { AccessSubjects, KeyCredential, KeyStore, NewKey, PeopleStore } from '#vocabulary/stores';
import { readList, selectKeys, toDescription } from './key-rows.ts';
import { createKeySearch } from './key-search.ts';
import type { ApiKeysTable, Tables } from './tables.ts';

/** SQLite takes 32,766 parameters in one statement; more subjects than this are read as "everything". */
const maxSubjects = 10_000;

export function createKeyStore(database: Kysely<Tables>, people: Pick<PeopleStore, 'findAll'>): KeyStore {
  return {
    ...createKeySearch(database, people),

    insert(key, maxUsable = Infinity) {
      return database.transaction().execute(async (transaction) => {
        // Of two keys made at once each counts the other.
        const person = transaction.selectFrom('people').select('id').where('id', '=', key.personId);
        await person.forUpdate().execute();
        if ((await countUsable(transaction, key.personId, key.createdAt)) >= maxUsable) return false;
        await transaction.insertInto('api_keys').values(toRow(key)).execute();
        return true;
      });
    },

    replace(oldKeyId, oldExpiresAt, successor) {
      return database.transaction().execute(async (transaction) => {
        const result = await transaction
          .updateTable('api_keys')
          .set({ expires_at: oldExpiresAt, successor_id: successor.id })
          .where('id', '=', oldKeyId)
          .where('revoked_at', 'is', null)
          .where('successor_id', 'is', null)
          .executeTakeFirst();
        if (result.numUpdatedRows === 0n) return false;
        await transaction.insertInto('api_keys').values(toRow(successor)).execute();
        // What limits the old key limits the new one.
        await transaction
          .insertInto('limits')
          .columns(['scope', 'subject_id', 'model', 'amounts'])
          .expression((select) =>
            select
              .selectFrom('limits')
              .select((of) => ['scope', of.val(successor.id).as('subject_id'), 'model', 'amounts'])
              .where('scope', '=', 'key')
              .where('subject_id', '=', oldKeyId),
          )
          .execute();
        return true;
      });
    },

    async find(keyId) {
      const row = await selectKeys(database).where('api_keys.id', '=', keyId).executeTakeFirst();
      return row === undefined ? undefined : toDescription(row);
    },

    async findAll(keyIds) {
      if (keyIds.length === 0) return [];
      const rows = await selectKeys(database).where('api_keys.id', 'in', keyIds).execute();
      return rows.map(toDescription);
    },

    async findByPrefix(prefix) {
      const rows = await selectKeys(database).where('prefix', '=', prefix).execute();
      return rows.map(toDescription);
    },

    async list(personId) {
      let query = selectKeys(database).orderBy('created_at', 'desc').orderBy('id');
      if (personId !== undefined) query = query.where('person_id', '=', personId);
      return (await query.execute()).map(toDescription);
    },

    countUsable: (personId, now) => countUsable(database, personId, now),

    async rename(keyId, name) {
      const query = database.updateTable('api_keys').set({ name }).where('id', '=', keyId);
      return (await query.executeTakeFirst()).numUpdatedRows > 0n;
    },

    async revoke(keyId, revokedAt) {
      const query = database
        .updateTable('api_keys')
        .set({ revoked_at: revokedAt })
        .where('id', '=', keyId)
        .where('revoked_at', 'is', null);
      return (await query.executeTakeFirst()).numUpdatedRows > 0n;
    },

    async noteUses(uses) {
      await database.transaction().execute(async (transaction) => {
        for (const { keyId, usedAt, address } of uses) {
          // Selected rather than given, because the key may have been deleted since.
          await transaction
            .insertInto('api_key_uses')
            .columns(['key_id', 'used_at', 'address'])
            .expression((select) =>
              select
                .selectFrom('api_keys')
                .select((column) => [
                  'id',
                  column.val(usedAt).as('used_at'),
                  column.val(address).as('address'),
                ])
                .where('id', '=', keyId),
            )
            .onConflict((conflict) => conflict.column('key_id').doUpdateSet({ used_at: usedAt, address }))
            .execute();
        }
      });
    },

    async readCredentials(of) {
      let query = database
        .selectFrom('api_keys')
        .innerJoin('people', 'people.id', 'api_keys.person_id')
        .select([
          'api_keys.id',
          'person_id',
          'api_keys.name',
          'digest',
          'models',
          'networks',
          'expires_at',
          'project_id',
          'lane',
        ])
        .where('revoked_at', 'is', null)
        .where('people.state', '=', 'active')
        .where('people.withdrawn_at', 'is', null);
      if (of !== undefined && isNarrow(of)) {
        query = query.where((where) =>
          where.or([
            where('api_keys.id', 'in', [...of.keyIds]),
            where('api_keys.person_id', 'in', [...of.personIds]),
          ]),
        );
      }
      return (await query.execute()).map(toCredential);
    },

    async readActivePeople(personIds) {
      let query = database
        .selectFrom('people')
        .select('id')
        .where('state', '=', 'active')
        .where('withdrawn_at', 'is', null);
      if (personIds.length <= maxSubjects) query = query.where('id', 'in', [...personIds]);
      return new Set((await query.execute()).map((row) => row.id));
    },

    async readAccessChanges(revision) {
      const rows = await database
        .selectFrom('access_changes')
        .selectAll()
        .where('revision', '>=', revision)
        .orderBy('revision')
        .limit(maxSubjects)
        .execute();
      // The last change seen must still be there; otherwise some after it may have been pruned with it.
      const isComplete = revision === 0 ? rows.length === 0 : rows[0]?.revision === revision;
      const newer = rows.filter((row) => row.revision > revision);
      return {
        revision: rows.at(-1)?.revision ?? revision,
        isComplete,
        keyIds: newer.filter((row) => row.subject === 'key').map((row) => row.subject_id),
        personIds: newer.filter((row) => row.subject === 'person').map((row) => row.subject_id),
      };
    },
  };
}

async function countUsable(database: Kysely<Tables>, personId: string, now: number): Promise<number> {
  const query = database
    .selectFrom('api_keys')
    .select((select) => select.fn.countAll<number>().as('keys'))
    .where('person_id', '=', personId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]));
  return (await query.executeTakeFirstOrThrow()).keys;
}

type CredentialRow = Pick<
  Selectable<ApiKeysTable>,
  'id' | 'person_id' | 'name' | 'digest' | 'models' | 'networks' | 'expires_at' | 'project_id' | 'lane'
>;

function toCredential(row: CredentialRow): KeyCredential {
  return {
    keyId: row.id,
    personId: row.person_id,
    name: row.name,
    digest: row.digest,
    models: readList(row.models),
    networks: readList(row.networks),
    projectId: row.project_id,
    lane: row.lane,
    expiresAt: row.expires_at ?? undefined,
  };
}

function toRow(key: NewKey): Insertable<ApiKeysTable> {
  return {
    id: key.id,
    person_id: key.personId,
    name: key.name,
    prefix: key.prefix,
    digest: key.digest,
    models: JSON.stringify(key.models),
    networks: JSON.stringify(key.networks),
    project_id: key.projectId ?? everyone,
    lane: key.lane ?? 'interactive',
    created_at: key.createdAt,
    expires_at: key.expiresAt ?? null,
    revoked_at: null,
    successor_id: null,
  };
}

function isNarrow({ keyIds, personIds }: AccessSubjects): boolean {
  return keyIds.length + personIds.length <= maxSubjects;
}
