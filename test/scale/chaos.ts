/**
 * What must hold whatever dies: three gateways, a PostgreSQL and two engines under many callers; one of the six after
 * the other is killed with `kill -9` at a random moment and comes back. Then the books are compared with what the
 * engines wrote down, one request after the other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { send } from '#harness/http-client';
import { issueKey } from '#harness/key-office';
import { waitUntil } from '#harness/wait-until';
import { type Mortal, type MortalService, startMortalService } from './mortals.ts';
import { watchRevocations } from './revocations.ts';
import { type Call, startCallers } from './steady-callers.ts';

export interface ChaosPlan {
  readonly callers: number;
  readonly kills: number;
  readonly forNoLongerThanMs: number;
  log(line: string): void;
}

/** One of the six, dead from `from` to `to`. */
export interface Death {
  readonly name: string;
  readonly from: number;
  to: number;
}

export interface ChaosReport {
  readonly deaths: readonly Death[];
  readonly calls: readonly Call[];
  /** Calls that did not get a whole answer although their own gateway lived. */
  readonly unexcused: readonly Call[];
  readonly begunAtEngines: number;
  readonly records: number;
  /** Requests that an engine began and nobody wrote down. */
  readonly lost: readonly string[];
  /** Whole answers whose record says something else than the engine. */
  readonly wrong: readonly string[];
  /** The sums of the days against the records: a difference is one that counted twice. */
  readonly summed: number;
  /** How long each gateway went on accepting a revoked key. */
  readonly revocationsMs: readonly number[];
}

export async function runChaos(plan: ChaosPlan): Promise<ChaosReport> {
  await using service = await startMortalService();
  const { gateways, databaseAddress } = service;
  const { secret } = await issueKey(gateways[0]!.dataDir, { name: 'crowd' }, databaseAddress);
  for (const { url } of gateways)
    await waitUntil('the key is known', async () => {
      const { status } = await send(`${url}/api/models`, { headers: { authorization: `Bearer ${secret}` } });
      return status === 200;
    });
  const urls = gateways.map(({ url }) => url);
  const deaths: Death[] = [];
  const callers = startCallers(urls, plan.callers, secret);
  const revocations = watchRevocations(service, deaths);
  try {
    await killAtRandom(service, plan, deaths);
  } finally {
    await Promise.all([callers.over(), revocations.over()]);
  }
  await untilEverythingIsApplied(service);
  // The last words of a journal may still be on their way.
  let compared = await compare(service, callers.calls, deaths);
  for (let turn = 0; turn < 30 && compared.lost.length + compared.wrong.length > 0; turn += 1) {
    await sleep(1000);
    compared = await compare(service, callers.calls, deaths);
  }
  return {
    deaths,
    calls: callers.calls,
    ...compared,
    revocationsMs: revocations.tookMs,
  };
}

async function killAtRandom(service: MortalService, plan: ChaosPlan, deaths: Death[]): Promise<void> {
  const mortals: readonly Mortal[] = [...service.gateways, ...service.engines, service.database];
  const giveUpAt = performance.now() + plan.forNoLongerThanMs;
  for (let kills = 0; kills < plan.kills && performance.now() < giveUpAt; kills += 1) {
    await sleep(500 + Math.random() * 2500);
    // A few kills meet each of the six; many are left to chance.
    const victim = mortals[kills < mortals.length ? kills : Math.floor(Math.random() * mortals.length)]!;
    const death: Death = { name: victim.name, from: performance.now(), to: Infinity };
    deaths.push(death);
    await victim.kill();
    await sleep(Math.random() * 1500);
    await victim.revive();
    death.to = performance.now();
    await untilInService(service);
    plan.log(`${kills + 1}: ${victim.name}, away for ${Math.round(death.to - death.from)} ms`);
  }
}

/** An engine that is back is given work again when a gateway has tried it; until then its brother is the only one. */
async function untilInService({ gateways, engines }: MortalService): Promise<void> {
  for (const { metricsUrl, name, logs } of gateways)
    await waitUntil(
      `${name} uses both engines`,
      async () => {
        const { text } = await send(metricsUrl).catch((cause: unknown) => {
          throw new Error(`${name} has ended by itself:\n${logs()}`, { cause });
        });
        return engines.every((engine) =>
          text.includes(`gatehouse_engine_healthy{engine="${engine.name}"} 1`),
        );
      },
      120_000,
    );
}

async function untilEverythingIsApplied({ gateways }: MortalService): Promise<void> {
  for (const { metricsUrl, name, logs } of gateways)
    await waitUntil(
      `the journal of ${name} is in the database`,
      async () => {
        const { text } = await send(metricsUrl).catch((cause: unknown) => {
          throw new Error(`${name} has ended by itself:\n${logs()}`, { cause });
        });
        return ['unapplied_bytes', 'lag_records'].every((end) =>
          new RegExp(`^gatehouse_journal_${end} 0$`, 'm').test(text),
        );
      },
      120_000,
    );
}

async function compare(
  { engineBook, databaseAddress, gateways, engines }: MortalService,
  calls: readonly Call[],
  deaths: readonly Death[],
): Promise<Omit<ChaosReport, 'deaths' | 'calls' | 'revocationsMs'>> {
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
  const book = engineBook();
  const begun = new Set(book.filter(({ what }) => what === 'begun').map(({ id }) => id));
  const wrong: string[] = [];
  for (const { requestId = '', ending } of calls) {
    if (ending !== 'whole') continue;
    const record = records.get(requestId);
    const beginnings = book.filter(({ what, id }) => what === 'begun' && id === requestId);
    const ended = book.findLast(({ what, id }) => what === 'ended' && id === requestId);
    // What the engine that died had written is the beginning of what the last one was given.
    const served = (ended?.tokens ?? 0) + Math.max(...beginnings.map(({ tokens }) => tokens));
    if (record?.ending !== 'completed' || Number(record.output) !== served)
      wrong.push(`${requestId}: ${JSON.stringify(record)}, the engines served ${served}`);
  }
  // Nobody can go on whose gateway has died, or both engines, one after the other.
  const isExcused = (call: Call) => {
    const died = deaths.filter(({ from, to }) => from <= call.endedAt && to >= call.startedAt);
    const names = new Set(died.map(({ name }) => name));
    return names.has(gateways[call.gateway]?.name ?? '') || engines.every(({ name }) => names.has(name));
  };
  return {
    unexcused: calls.filter((call) => !['whole', 'resumed'].includes(call.ending) && !isExcused(call)),
    begunAtEngines: begun.size,
    records: rows.length,
    lost: [...begun].filter((id) => !records.has(id)).map((id) => `${id} ${closestDeath(id, deaths)}`),
    wrong,
    summed: Number(days.rows[0]?.sum),
  };
}

/** For whoever looks for the reason: request ids begin with the moment they were given. */
function closestDeath(requestId: string, deaths: readonly Death[]): string {
  const at = Number.parseInt(requestId.replaceAll('-', '').slice(0, 12), 16) - performance.timeOrigin;
  const before = deaths.map(({ name, from }) => ({ name, ms: Math.round(from - at) }));
  const [closest] = before.toSorted((one, other) => Math.abs(one.ms) - Math.abs(other.ms));
  return closest === undefined ? '' : `(${closest.ms} ms before ${closest.name} was killed)`;
}
