import type { Kysely } from 'kysely';
import type { SignInLinkStore } from '#vocabulary/account-stores';
import type { Tables } from './tables.ts';

export function createSignInLinkStore(database: Kysely<Tables>): SignInLinkStore {
  return {
    async insert({ tokenDigest, personId, createdAt, expiresAt, madeBy }) {
      const link = {
        token_digest: tokenDigest,
        created_at: createdAt,
        expires_at: expiresAt,
        made_by: madeBy,
      };
      await database
        .insertInto('sign_in_links')
        .values({ ...link, person_id: personId })
        .onConflict((conflict) => conflict.column('person_id').doUpdateSet(link))
        .execute();
    },

    async take(tokenDigest, now) {
      const taken = await database
        .deleteFrom('sign_in_links')
        .where('token_digest', '=', tokenDigest)
        .returning(['person_id', 'expires_at', 'made_by'])
        .executeTakeFirst();
      if (taken === undefined || taken.expires_at <= now) return undefined;
      return { personId: taken.person_id, madeBy: taken.made_by };
    },

    async removeOf(personId) {
      await database.deleteFrom('sign_in_links').where('person_id', '=', personId).execute();
    },
  };
}
