import type { Kysely } from 'kysely';
import type { SignInLinkStore } from '#vocabulary/account-stores';
import type { Tables } from './tables.ts';

export function createSignInLinkStore(database: Kysely<Tables>): SignInLinkStore {
  return {
    async insert({ tokenDigest, personId, createdAt, expiresAt }) {
      await database.deleteFrom('sign_in_links').where('expires_at', '<=', createdAt).execute();
      await database
        .insertInto('sign_in_links')
        .values({
          token_digest: tokenDigest,
          person_id: personId,
          created_at: createdAt,
          expires_at: expiresAt,
        })
        .execute();
    },

    async take(tokenDigest, now) {
      const taken = await database
        .deleteFrom('sign_in_links')
        .where('token_digest', '=', tokenDigest)
        .returning(['person_id', 'expires_at'])
        .executeTakeFirst();
      return taken !== undefined && taken.expires_at > now ? taken.person_id : undefined;
    },

    async removeAllOf(personId) {
      await database.deleteFrom('sign_in_links').where('person_id', '=', personId).execute();
    },
  };
}
