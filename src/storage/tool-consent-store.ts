import type { Kysely } from 'kysely';
import { mintId } from '#vocabulary/ids';
import type { ToolConsent, ToolConsentStore } from '#vocabulary/tools';
import type { Tables } from './tables.ts';

/** More tools than anybody has; the oldest permission is forgotten and the person is asked again. */
const maxPerPerson = 1000;

export function createToolConsentStore(database: Kysely<Tables>): ToolConsentStore {
  return {
    async put({ personId, chatId, serverName, toolName, digest, givenAt }) {
      const row = { person_id: personId, chat_id: chatId ?? null, digest, given_at: givenAt };
      await database
        .insertInto('tool_consents')
        .values({ id: mintId('consent'), server: serverName, tool: toolName, ...row })
        .execute();
      const kept = database
        .selectFrom('tool_consents')
        .select('id')
        .where('person_id', '=', personId)
        .orderBy('given_at', 'desc')
        .limit(maxPerPerson);
      await database
        .deleteFrom('tool_consents')
        .where('person_id', '=', personId)
        .where('id', 'not in', kept)
        .execute();
    },

    async find(personId, chatId, digest) {
      const row = await database
        .selectFrom('tool_consents')
        .selectAll()
        .where('person_id', '=', personId)
        .where('digest', '=', digest)
        .where((where) => where.or([where('chat_id', '=', chatId), where('chat_id', 'is', null)]))
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? undefined : readConsent(row);
    },

    async listForAll(personId) {
      const rows = await database
        .selectFrom('tool_consents')
        .selectAll()
        .where('person_id', '=', personId)
        .where('chat_id', 'is', null)
        .orderBy('given_at', 'desc')
        .execute();
      return rows.map(readConsent);
    },

    async withdraw(personId, serverName, toolName) {
      await database
        .deleteFrom('tool_consents')
        .where('person_id', '=', personId)
        .where('server', '=', serverName)
        .where('tool', '=', toolName)
        .execute();
    },
  };
}

function readConsent(row: Tables['tool_consents']): ToolConsent {
  return {
    personId: row.person_id,
    chatId: row.chat_id ?? undefined,
    serverName: row.server,
    toolName: row.tool,
    digest: row.digest,
    givenAt: row.given_at,
  };
}
