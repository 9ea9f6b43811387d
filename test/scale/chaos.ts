/**
 * What must hold whatever dies: three gateways, a PostgreSQL and two engines under many callers; the six are killed with
 * `kill -9` at random moments and come back. Then the books are compared with what the engines wrote down, one request
 * after the other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '#harness/http-client';
import { issueKey } from '#harness/key-office';
import { waitUntil } from '#harness/wait-until';
import { type Books, compareBooks } from './chaos-books.ts';
import { type Death, killAtRandom, type KillingPlan } from './chaos-kills.ts';
import { type MortalService, startMortalService } from './mortals.ts';
import { watchRevocations } from './revocations.ts';
import type { Call } from './caller.ts';
import { startCallers } from './steady-callers.ts';

export interface ChaosPlan extends KillingPlan {
  readonly callers: number;
}

/**
 * Why somebody did not get a whole answer. Nobody can go on whose gateway has died, unless they asked with
 * `Gatehouse-Resume` and the answer had begun; nor after both engines in turn.
 */
export type Reason =
  | 'its gateway was killed'
  | 'its gateway was killed before it knew an id'
  | 'its gateway and another one were killed in one moment'
  | 'both engines were killed under it'
  | 'only its gateway was killed, and it was resumable'
  | 'nothing of its own died';

/** What nobody should have seen. */
export function isUnexcused({ reason }: Failure): boolean {
  return (
    reason === 'nothing of its own died' || reason === 'only its gateway was killed, and it was resumable'
  );
}

export interface Failure {
  readonly call: Call;
  readonly reason: Reason;
}

export interface ChaosReport extends Books {
  readonly deaths: readonly Death[];
  readonly calls: readonly Call[];
  /** Calls that ended neither whole nor resumed. */
  readonly failures: readonly Failure[];
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
  const deaths: Death[] = [];
  const callers = startCallers(
    gateways.map(({ url }) => url),
    plan.callers,
    secret,
  );
  const revocations = watchRevocations(service, deaths);
  try {
    await killAtRandom(service, plan, deaths);
  } finally {
    await Promise.all([callers.over(), revocations.over()]);
  }
  await untilEverythingIsApplied(service);
  const { calls } = callers;
  // The last words of a journal may still be on their way.
  let books = await compareBooks(service, calls, deaths);
  for (let turn = 0; turn < 30 && books.lost.length + books.wrong.length > 0; turn += 1) {
    await sleep(1000);
    books = await compareBooks(service, calls, deaths);
  }
  const failed = calls.filter(({ ending }) => ending !== 'whole' && ending !== 'resumed');
  const failures = failed.map((call) => ({ call, reason: reasonOf(call, service, deaths) }));
  return { ...books, deaths, calls, failures, revocationsMs: revocations.tookMs };
}

async function untilEverythingIsApplied({ gateways }: MortalService): Promise<void> {
  for (const gateway of gateways)
    await waitUntil(
      `the journal of ${gateway.name} is in the database`,
      async () => {
        const answer = await send(gateway.metricsUrl).catch(() => gateway.checkAlive());
        return ['unapplied_bytes', 'lag_records'].every((end) =>
          new RegExp(`^gatehouse_journal_${end} 0$`, 'm').test(answer?.text ?? ''),
        );
      },
      120_000,
    );
}

function reasonOf(call: Call, { gateways, engines }: MortalService, deaths: readonly Death[]): Reason {
  const died = deaths.filter(({ from, to }) => from <= call.endedAt && to >= call.startedAt);
  const names = new Set(died.map(({ name }) => name));
  const isLeftAlone = names.has(gateways[call.gateway]?.name ?? '');
  if (isLeftAlone) {
    if (!call.isResumable) return 'its gateway was killed';
    if (call.requestId === undefined) return 'its gateway was killed before it knew an id';
    const isGateway = ({ name }: Death) => gateways.some((gateway) => gateway.name === name);
    const around = died.filter(
      (death) =>
        isGateway(death) && death.from < call.brokenAt + momentMs && death.to > call.brokenAt - momentMs,
    );
    const isTogether = around.filter(({ from }) => from > call.brokenAt - momentMs).length > 1;
    // Of three, two were away, or had only just come back.
    const isAlone = new Set(around.map(({ name }) => name)).size === gateways.length;
    if (isTogether || isAlone) return 'its gateway and another one were killed in one moment';
  }
  if (engines.every(({ name }) => names.has(name))) return 'both engines were killed under it';
  return isLeftAlone ? 'only its gateway was killed, and it was resumable' : 'nothing of its own died';
}

/** So long it may take on a busy machine until a third gateway has heard of what the first wrote and the second knew. */
const momentMs = 2000;
