import type { Kysely, Selectable } from 'kysely';
import type {
  AbandonedResponse,
  KeptResponse,
  PutDownAnswer,
  ResponseStore,
} from '#vocabulary/response-store';
import type { LivingProcesses } from '#vocabulary/living-processes';
import type { ResponsesTable } from './response-tables.ts';
import type { Tables } from './tables.ts';

/** How many are forgotten in one step. */
const stepSize = 500;
/** Of each process that has died; they may be as large as their questions. */
const abandonedAtOnce = 50;

export function createResponseStore(database: Kysely<Tables>, processes: LivingProcesses): ResponseStore {
  return {
    get writerId() {
      return processes.ownId;
    },

    async keep(kept) {
      const row = toRow(kept, processes);
      const { id: _id, owner: _owner, person_id: _person, created_at: _created, ...changing } = row;
      await database
        .insertInto('responses')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
        .execute();
    },

    async find(ownerId, id, now) {
      const row = await database
        .selectFrom('responses')
        .selectAll()
        .where('id', '=', id)
        .where('owner', '=', ownerId)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row === undefined ? undefined : toKept(row);
    },

    async remove(ownerId, id) {
      const query = database.deleteFrom('responses').where('id', '=', id).where('owner', '=', ownerId);
      return (await query.executeTakeFirst()).numDeletedRows > 0n;
    },

    async trim(ownerId, maxCount, maxBytes) {
      const rows = await database
        .selectFrom('responses')
        .select(['id', 'bytes'])
        .where('owner', '=', ownerId)
        .orderBy('created_at', 'desc')
        .execute();
      let bytes = 0;
      const surplus = rows.filter((row, index) => {
        bytes += row.bytes;
        return index > 0 && (index >= maxCount || bytes > maxBytes);
      });
      for (let from = 0; from < surplus.length; from += stepSize) {
        const ids = surplus.slice(from, from + stepSize).map(({ id }) => id);
        await database.deleteFrom('responses').where('id', 'in', ids).execute();
      }
    },

    async totalBytes() {
      const { total } = await database
        .selectFrom('responses')
        .select((select) => select.fn.sum<number | string | null>('bytes').as('total'))
        .executeTakeFirstOrThrow();
      return Number(total ?? 0);
    },

    async stayAlive(ids, aliveUntil) {
      await database
        .updateTable('responses')
        .set({ alive_until: aliveUntil })
        .where('id', 'in', ids)
        .where('alive_until', 'is not', null)
        .execute();
    },

    async takeOver(id, writerId) {
      const row = await takeFrom(id, writerId);
      if (row !== undefined) return toKept(row);
      const running = await database
        .selectFrom('responses')
        .select('written_by')
        .where('id', '=', id)
        .where('alive_until', 'is not', null)
        .executeTakeFirst();
      if (running?.written_by == null) return undefined;
      // Whoever took it over may have died before anybody was told so.
      if (await processes.isAlive(running.written_by)) return 'written elsewhere';
      const left = await takeFrom(id, running.written_by);
      return left && toKept(left);
    },

    async putDown(id, answer) {
      await database
        .updateTable('responses')
        .set({ put_down: answer })
        .where('id', '=', id)
        .where('written_by', '=', processes.ownId)
        .where('alive_until', 'is not', null)
        .execute();
    },

    async findPutDown() {
      const rows = await database
        .selectFrom('responses')
        .select((select) => [
          'id',
          'owner as ownerId',
          'written_by as writerId',
          select.fn<number>('length', ['put_down']).as('bytes'),
        ])
        .where('alive_until', 'is not', null)
        .where('put_down', 'is not', null)
        .execute();
      const found: PutDownAnswer[] = [];
      for (const { writerId, ...row } of rows)
        if (writerId !== null && !(await processes.isAlive(writerId))) found.push(row);
      return found;
    },

    async readPutDown(id) {
      const row = await database
        .selectFrom('responses')
        .select('put_down')
        .where('id', '=', id)
        .executeTakeFirst();
      return row?.put_down ? Buffer.from(row.put_down) : undefined;
    },

    async findAbandoned(id) {
      const running = database
        .selectFrom('responses')
        .where('alive_until', 'is not', null)
        .$if(id !== undefined, (some) => some.where('id', '=', id ?? ''));
      const writers = await running
        .select('written_by')
        .where('written_by', 'is not', null)
        .distinct()
        .execute();
      const abandoned: AbandonedResponse[] = [];
      for (const { written_by: writerId } of writers) {
        if (writerId === null || (await processes.isAlive(writerId))) continue;
        const rows = running
          .select(['id', 'response'])
          .where('written_by', '=', writerId)
          .limit(abandonedAtOnce);
        abandoned.push(...(await rows.execute()).map((row) => ({ ...row, writerId })));
      }
      return abandoned;
    },

    async conclude({ id, response }, writerId) {
      const result = await database
        .updateTable('responses')
        .set({ response, alive_until: null, written_by: null, put_down: null })
        .where('id', '=', id)
        .where('written_by', '=', writerId)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async forgetExpired(now) {
      const some = database
        .selectFrom('responses')
        .select('id')
        .where('expires_at', '<=', now)
        .limit(stepSize);
      const result = await database.deleteFrom('responses').where('id', 'in', some).executeTakeFirst();
      return Number(result.numDeletedRows);
    },
  };

  async function takeFrom(id: string, writerId: string) {
    return await database
      .updateTable('responses')
      .set({ written_by: processes.ownId, put_down: null })
      .where('id', '=', id)
      .where('written_by', '=', writerId)
      .where('alive_until', 'is not', null)
      .returningAll()
      .executeTakeFirst();
  }
}

function toRow(kept: KeptResponse, writer: { readonly ownId: string }): Omit<ResponsesTable, 'put_down'> {
  const texts = [kept.response, kept.input, kept.events ?? ''];
  return {
    id: kept.id,
    owner: kept.owner.id,
    person_id: kept.owner.personId ?? null,
    created_at: kept.createdAt,
    expires_at: kept.expiresAt,
    alive_until: kept.aliveUntil ?? null,
    written_by: kept.aliveUntil === undefined ? null : writer.ownId,
    previous_id: kept.previousId ?? null,
    response: kept.response,
    input: kept.input,
    events: kept.events ?? null,
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  };
}

function toKept(row: Selectable<ResponsesTable>): KeptResponse {
  return {
    id: row.id,
    owner: { id: row.owner, personId: row.person_id ?? undefined },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    aliveUntil: row.alive_until ?? undefined,
    previousId: row.previous_id ?? undefined,
    response: row.response,
    input: row.input,
    events: row.events ?? undefined,
  };
}
