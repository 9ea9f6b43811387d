import { type Dialect, HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression } from 'kysely';
import type { Tables } from './tables.ts';

/** Kysely as all stores use it: nothing is in an empty list, whatever the database thinks of `in ()`. */
export function speak(dialect: Dialect): Kysely<Tables> {
  const plugins = [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })];
  return new Kysely<Tables>({ dialect, plugins });
}
