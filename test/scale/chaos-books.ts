import { Client } from 'pg';
import type { Death } from './chaos-kills.ts';
import type { MortalService } from './mortals.ts';
import type { Call } from './caller.ts';

/** What the books say against what the engines wrote down. */
export interface Books {
  readonly begunAtEngines: number;
  readonly records: number;
  /** Requests that an engine began and nobody wrote down. */
  readonly lost: readonly string[];
  /** Whole answers whose record says something else than the engine. */
  readonly wrong: readonly string[];
  /** What the sums of the days have more (or less) than there are records. */
  readonly doubled: number;
}

export async function compareBooks(
  { engineBook, databaseAddress }: MortalService,
  calls: readonly Call[],
  deaths: readonly Death[],
): Promise<Books> {
  const client = new Client({ connectionString: databaseAddress });
  await client.connect();
  const { rows } = await client.query<{ id: string; ending: string; output: string }>(
    'SELECT request_id AS id, ending, output_tokens AS output FROM usage_records',
  );
  const days = await client.query<{ sum: string }>(
    'SELECT coalesce(sum(requests), 0) AS sum FROM usage_days',
  );
  await client.end();
  const records = new Map(rows.map((row) => [row.id, row]));
  // What an engine that died had written is the beginning of what the next one was given: the most counts.
  const begun = new Map<string, number>();
  const first = new Map<string, number>();
  const ended = new Map<string, number>();
  for (const { what, id, tokens } of engineBook()) {
    if (what === 'begun') {
      if (!first.has(id)) first.set(id, tokens);
      begun.set(id, Math.max(begun.get(id) ?? 0, tokens));
    } else ended.set(id, tokens);
  }
  // What a gateway that died had written is on the books under the first id; the rest has one of its own.
  const served = (id: string) => (ended.get(id) ?? 0) + (begun.get(id) ?? 0) - (first.get(id) ?? 0);
  const wrong: string[] = [];
  for (const { requestId = '', ending } of calls) {
    if (ending !== 'whole') continue;
    const record = records.get(requestId);
    if (record?.ending !== 'completed' || Number(record.output) !== served(requestId))
      wrong.push(`${requestId}: ${JSON.stringify(record)}, the engines served ${served(requestId)}`);
  }
  const asked = new Set(calls.map(({ requestId }) => requestId));
  for (const { id, ending, output } of rows)
    if (!asked.has(id) && first.get(id) !== 0 && ending === 'completed' && Number(output) !== served(id))
      wrong.push(`${id}: ${output} tokens, of an inherited answer of which the engines served ${served(id)}`);
  return {
    begunAtEngines: begun.size,
    records: rows.length,
    lost: [...begun.keys()].filter((id) => !records.has(id)).map((id) => `${id} ${closestDeath(id, deaths)}`),
    wrong,
    doubled: Number(days.rows[0]?.sum) - rows.length,
  };
}

/** For whoever looks for the reason: request ids begin with the moment they were given. */
function closestDeath(requestId: string, deaths: readonly Death[]): string {
  const at = Number.parseInt(requestId.replaceAll('-', '').slice(0, 12), 16) - performance.timeOrigin;
  const before = deaths.map(({ name, from }) => ({ name, ms: Math.round(from - at) }));
  const [closest] = before.toSorted((one, other) => Math.abs(one.ms) - Math.abs(other.ms));
  return closest === undefined ? '' : `(${closest.ms} ms before ${closest.name} was killed)`;
}
