import { sql, type Kysely, type Selectable, type Updateable } from 'kysely';
import { Refusal } from '#vocabulary/refusal';
import type { NewPerson, PeopleStore, Person, PersonChange } from '#vocabulary/stores';
import { isUniquenessViolation } from './uniqueness.ts';
import { leaveDocuments } from './space-store.ts';
import type { PeopleTable, Tables } from './tables.ts';

/** SQLite takes 32,766 parameters in one statement. */
const idsAtOnce = 10_000;

export function createPeopleStore(database: Kysely<Tables>): PeopleStore {
  return {
    insert: (person) => insertPerson(database, person),

    insertManaged(person, { issuer, subject }) {
      return database.transaction().execute(async (transaction) => {
        await insertPerson(transaction, person, issuer);
        const moments = { linked_at: person.createdAt, checked_at: person.createdAt };
        await transaction
          .insertInto('identities')
          .values({ issuer, subject, person_id: person.id, ...moments, refresh_token: null })
          .execute();
      });
    },

    async find(personId) {
      return toPerson(
        await database.selectFrom('people').selectAll().where('id', '=', personId).executeTakeFirst(),
      );
    },

    async findAll(personIds) {
      const found: Person[] = [];
      for (let from = 0; from < personIds.length; from += idsAtOnce) {
        const some = personIds.slice(from, from + idsAtOnce);
        const rows = await database.selectFrom('people').selectAll().where('id', 'in', some).execute();
        found.push(...rows.map(readPerson));
      }
      return found;
    },

    async findByEmail(email) {
      const query = database.selectFrom('people').selectAll().where('email_folded', '=', fold(email));
      return toPerson(await query.executeTakeFirst());
    },

    async readPasswordHash(personId) {
      const query = database.selectFrom('people').select('password_hash').where('id', '=', personId);
      return (await query.executeTakeFirst())?.password_hash ?? undefined;
    },

    async list({ search, state, role, limit, afterEmail }) {
      const order = sql<string>`coalesce(email_order, email_folded)`;
      let query = database
        .selectFrom('people')
        .selectAll()
        .orderBy(order)
        .orderBy('email_folded')
        .limit(limit);
      if (afterEmail !== undefined) {
        const email = fold(afterEmail);
        // By the order of whoever stood last, who may be gone.
        const after = sql<string>`coalesce((SELECT ${order} FROM people WHERE email_folded = ${email}), ${orderOf(email)})`;
        query = query
          .where(order, '>=', after)
          .where(sql<boolean>`(${order}, email_folded) > (${after}, ${email})`);
      }
      if (role !== undefined) query = query.where('role', '=', role);
      // Who was withdrawn is active as far as we decide.
      if (state === 'withdrawn')
        query = query.where('state', '=', 'active').where('withdrawn_at', 'is not', null);
      else if (state !== undefined) query = query.where('state', '=', state);
      if (state === 'active') query = query.where('withdrawn_at', 'is', null);
      if (search !== undefined && search !== '') {
        const pattern = `%${fold(search).replace(/[\\%_]/g, '\\$&')}%`;
        query = query.where((where) =>
          where.or([
            sql<boolean>`email_folded LIKE ${pattern} ESCAPE '\\'`,
            sql<boolean>`lower(name) LIKE ${pattern} ESCAPE '\\'`,
          ]),
        );
      }
      return (await query.execute()).map(readPerson);
    },

    async count() {
      const query = database
        .selectFrom('people')
        .select((select) => select.fn.countAll<number>().as('people'));
      return (await query.executeTakeFirstOrThrow()).people;
    },

    async update(personId, change) {
      const columns = toColumns(change);
      if (Object.keys(columns).length === 0) return (await this.find(personId)) !== undefined;
      const query = database.updateTable('people').set(columns).where('id', '=', personId);
      const result = await refuseTakenEmail(query.executeTakeFirst());
      return result.numUpdatedRows > 0n;
    },

    async noteSeen(personId, seenAt) {
      await database.updateTable('people').set({ last_seen_at: seenAt }).where('id', '=', personId).execute();
    },

    async readHoldings(personIds, now) {
      if (personIds.length === 0) return new Map();
      const rows = await database
        .selectFrom('people')
        .select((select) => [
          'people.id',
          select
            .selectFrom('api_keys')
            .select((key) => key.fn.countAll<number>().as('keys'))
            .whereRef('api_keys.person_id', '=', 'people.id')
            .where('revoked_at', 'is', null)
            .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
            .as('keys'),
          select
            .selectFrom('person_storage')
            .select('bytes')
            .whereRef('person_storage.person_id', '=', 'people.id')
            .as('chat_bytes'),
          select
            .selectFrom('documents')
            .select((document) => document.fn.sum<number | string | null>('stored_bytes').as('bytes'))
            .whereRef('documents.person_id', '=', 'people.id')
            .where('documents.project_id', 'is', null)
            .as('document_bytes'),
        ])
        .where('people.id', 'in', personIds)
        .execute();
      return new Map(
        rows.map((row) => [
          row.id,
          {
            usableKeys: row.keys ?? 0,
            storedBytes: (row.chat_bytes ?? 0) + Number(row.document_bytes ?? 0),
          },
        ]),
      );
    },

    remove: (personId) =>
      database.transaction().execute(async (transaction) => {
        const keysOfPerson = transaction
          .selectFrom('api_keys')
          .select('id')
          .where('person_id', '=', personId);
        await transaction
          .deleteFrom('limits')
          .where((where) =>
            where.or([
              where.and([where('scope', '=', 'person'), where('subject_id', '=', personId)]),
              where.and([where('scope', '=', 'key'), where('subject_id', 'in', keysOfPerson)]),
            ]),
          )
          .execute();
        await leaveDocuments(transaction, personId);
        const result = await transaction.deleteFrom('people').where('id', '=', personId).executeTakeFirst();
        return result.numDeletedRows > 0n;
      }),
  };
}

/** Also for whoever makes a person as a part of something larger. Refuses with `conflict` when the e-mail is taken. */
export async function insertPerson(
  database: Kysely<Tables>,
  person: NewPerson,
  managedBy: string | null = null,
): Promise<void> {
  const { id, email, name, role, state, createdAt, passwordHash } = person;
  const row = { id, email, name, role, state, created_at: createdAt };
  const query = database.insertInto('people').values({
    ...row,
    email_folded: fold(email),
    email_order: orderOf(email),
    password_hash: passwordHash ?? null,
    last_seen_at: null,
    managed_by: managedBy,
    withdrawn_at: null,
  });
  await refuseTakenEmail(query.execute());
}

function fold(email: string): string {
  return email.trim().toLowerCase();
}

/** Letters and numbers as people count them: ada, ada2, ada10. */
function orderOf(email: string): string {
  return fold(email)
    .replaceAll(/[0-9]+/g, (digits) => digits.padStart(12, '0'))
    .replaceAll('@', ' ');
}

function toPerson(row: Selectable<PeopleTable> | undefined): Person | undefined {
  return row === undefined ? undefined : readPerson(row);
}

function readPerson(row: Selectable<PeopleTable>): Person {
  const { id, email, name, role } = row;
  return {
    id,
    email,
    name,
    role,
    state: row.state === 'active' && row.withdrawn_at !== null ? 'withdrawn' : row.state,
    managedBy: row.managed_by ?? undefined,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at ?? undefined,
  };
}

function toColumns(change: PersonChange): Updateable<PeopleTable> {
  const columns: Updateable<PeopleTable> = {};
  if (change.email !== undefined) {
    columns.email = change.email;
    columns.email_folded = fold(change.email);
    columns.email_order = orderOf(change.email);
  }
  if (change.name !== undefined) columns.name = change.name;
  if (change.role !== undefined) columns.role = change.role;
  if (change.state !== undefined) columns.state = change.state;
  if (change.withdrawnAt !== undefined) columns.withdrawn_at = change.withdrawnAt;
  if (change.passwordHash !== undefined) columns.password_hash = change.passwordHash;
  return columns;
}

async function refuseTakenEmail<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (cause) {
    if (!isUniquenessViolation(cause)) throw cause;
    throw new Refusal('conflict', 'There is already an account with this e-mail address.', {
      param: 'email',
      cause,
    });
  }
}
