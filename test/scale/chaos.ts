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
  /** So long it may take on this machine until a gateway that is back has been told what the others write. */
  readonly momentMs: number;
  /** A folder for everything that the gateways say. */
  readonly logs?: string | undefined;
}

/**
 * Why somebody did not get a whole answer. Excused are a connection that broke with its gateway, unless its caller could
 * come back; an answer that could be come back to when every gateway was killed in one moment, so that nobody is left
 * who knew of it; and what an engine was killed under three times, which is as often as anything is tried.
 */
export type Reason =
  | 'its gateway was killed, and it was not resumable'
  | 'every gateway was killed in one moment'
  | 'three engines were killed under it'
  | 'its gateway was killed, and it was resumable'
  | 'its gateway lived';

/** What nobody should have seen. */
export function isUnexcused({ reason }: Failure): boolean {
  return reason === 'its gateway lived' || reason === 'its gateway was killed, and it was resumable';
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
  await using service = await startMortalService(plan.logs);
  const { gateways, databaseAddress } = service;
  const key = await issueKey(gateways[0]!.dataDir, { name: 'crowd' }, databaseAddress);
  for (const { url } of gateways)
    await waitUntil('the key is known', async () => {
      const { status } = await send(`${url}/api/models`, {
        headers: { authorization: `Bearer ${key.secret}` },
      });
      return status === 200;
    });
  const deaths: Death[] = [];
  const callers = startCallers(
    gateways.map(({ url }) => url),
    plan.callers,
    key,
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
  const failures = failed.map((call) => ({ call, reason: reasonOf(call, service, deaths, plan) }));
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

function reasonOf(
  call: Call,
  { gateways, engines }: MortalService,
  deaths: readonly Death[],
  { momentMs }: ChaosPlan,
): Reason {
  const underIt = deaths.filter(({ from, gone }) => from <= call.endedAt && gone >= call.startedAt);
  const hasLostGateway = underIt.some(({ name }) => name === gateways[call.gateway]?.name);
  const isCut = call.ending === 'broken';
  const isGateway = (name: string) => gateways.some((gateway) => gateway.name === name);
  if (isCut && hasLostGateway && !call.isResumable) return 'its gateway was killed, and it was not resumable';
  if (call.isResumable && (isCut || call.detail.includes('stream_not_kept'))) {
    // The last death before its reader was cut off; whoever is only just back may not have been told yet.
    const lost = deaths.findLast(({ name, from }) => from <= call.brokenAt && isGateway(name));
    const lostAt = lost?.from ?? call.brokenAt;
    const around = deaths.filter(({ from, to }) => from < lostAt + momentMs && to > lostAt - momentMs);
    if (gateways.every(({ name }) => around.some((death) => death.name === name)))
      return 'every gateway was killed in one moment';
  }
  const enginesLost = underIt.filter(({ name }) => engines.some((engine) => engine.name === name));
  if (!isCut && enginesLost.length >= mostTries) return 'three engines were killed under it';
  return hasLostGateway ? 'its gateway was killed, and it was resumable' : 'its gateway lived';
}

const mostTries = 3;
