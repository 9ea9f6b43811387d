import { sql, type Kysely } from 'kysely';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { WordSearch } from './conversation-search.ts';
import type { Tables } from './tables.ts';

/** Texts that one step looks at, and those that it writes down while others wait to write. */
const maxLookedAt = 1000;
const maxWritten = 50;

/** A text behind an answer that is still being written is looked at when that one has ended. */
const sources = {
  titles: {
    index: 'title_piece_search',
    position: sql`chats.position`,
    text: sql<string>`chats.title`,
    from: sql`chats`,
    isDue: sql`TRUE`,
  },
  messages: {
    index: 'message_piece_search',
    position: sql`messages.position`,
    text: sql<string>`messages.content`,
    from: sql`messages JOIN chats ON chats.id = messages.chat_id`,
    isDue: sql`NOT EXISTS (SELECT 1 FROM messages AS running
      WHERE running.state = 'running' AND running.position <= messages.position)`,
  },
} as const;

interface LookedAt {
  readonly position: number;
  readonly wanted: boolean | number;
}

/**
 * Brings texts from before an upgrade, or from a process of an older version, into the piece indexes. What is there
 * already is written again, so that a step may be repeated.
 */
export function createSearchCatchUp(
  database: Kysely<Tables>,
  reading: Kysely<Tables>,
  words: WordSearch,
): Pick<ConversationStore, 'catchUpSearch'> {
  return {
    catchUpSearch: async () => (await catchUp('titles')) || (await catchUp('messages')),
  };

  async function catchUp(texts: keyof typeof sources): Promise<boolean> {
    const { index, position, text, from, isDue } = sources[texts];
    const progress = await database
      .selectFrom('piece_search_progress')
      .select('done_to')
      .where('texts', '=', texts)
      .executeTakeFirstOrThrow();
    const { rows } = await sql<LookedAt>`
      SELECT ${position} AS position, ${words.isUnspaced(text)} AS wanted FROM ${from}
      WHERE ${position} > ${progress.done_to} AND ${isDue}
      ORDER BY ${position} LIMIT ${sql.lit(maxLookedAt)}`.execute(reading);
    const wanted = rows.filter((row) => Boolean(row.wanted)).map((row) => row.position);
    const step = wanted.slice(0, maxWritten);
    const end = wanted.length > maxWritten ? step.at(-1) : rows.at(-1)?.position;
    if (end === undefined) return false;
    await database.transaction().execute(async (transaction) => {
      if (step.length > 0) {
        const { columns, values } = words.pieceEntry(sql`chats.person_id`, text);
        await transaction.deleteFrom(index).where('rowid', 'in', step).execute();
        await sql`INSERT INTO ${sql.ref(index)} (rowid, ${columns})
          SELECT ${position}, ${values} FROM ${from} WHERE ${position} IN (${sql.join(step)})`.execute(
          transaction,
        );
      }
      const isDone = transaction.updateTable('piece_search_progress').set({ done_to: end });
      await isDone.where('texts', '=', texts).execute();
    });
    return true;
  }
}
