import { setTimeout as sleep } from 'node:timers/promises';
import type { Mortal, MortalService } from './mortals.ts';

/** One of the six, killed at `from`, gone at `gone` and back at `to`. */
export interface Death {
  readonly name: string;
  readonly from: number;
  gone: number;
  to: number;
}

export interface KillingPlan {
  readonly kills: number;
  readonly forNoLongerThanMs: number;
  log(line: string): void;
}

/**
 * Kills at random, several at once: two gateways at most, so that one lives, one engine, and the database whenever it
 * comes. Everybody dies once before chance decides. Fills `deaths` on its way.
 */
export async function killAtRandom(
  service: MortalService,
  plan: KillingPlan,
  deaths: Death[],
): Promise<void> {
  const giveUpAt = performance.now() + plan.forNoLongerThanMs;
  const left = kindsOfKills(plan.kills);
  const dead = new Set<Mortal>();
  const failed = new AbortController();
  const lane = async (
    kind: Kind,
    victims: readonly Mortal[],
    pauseMs: readonly [number, number],
  ): Promise<void> => {
    while (!failed.signal.aborted && left[kind] > 0) {
      left[kind] -= 1;
      await sleep(between(...pauseMs));
      if (performance.now() > giveUpAt) return;
      const victim = pick(
        victims.filter((mortal) => !dead.has(mortal)),
        deaths,
      );
      dead.add(victim);
      const death: Death = { name: victim.name, from: performance.now(), gone: Infinity, to: Infinity };
      deaths.push(death);
      await victim.kill();
      death.gone = performance.now();
      await sleep(between(0, 1000));
      await victim.revive();
      death.to = performance.now();
      dead.delete(victim);
      plan.log(`${deaths.length}: ${victim.name}, away for ${Math.round(death.to - death.from)} ms`);
    }
  };
  const { gateways, engines, database } = service;
  const lanes = [
    lane('gateway', gateways, [300, 2500]),
    lane('gateway', gateways, [300, 2500]),
    lane('engine', engines, [300, 1500]),
    lane('database', [database], [4000, 14_000]),
  ];
  for (const running of lanes) running.catch(() => failed.abort());
  const ends = await Promise.allSettled(lanes);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

type Kind = 'gateway' | 'engine' | 'database';

/** Six of ten kills are gateways', three engines' and one the database's, and of a few each of the six has one. */
function kindsOfKills(kills: number): Record<Kind, number> {
  const database = Math.max(Math.min(kills, 1), Math.round(kills / 10));
  const engine = Math.max(Math.min(kills - database, 2), Math.round((kills * 3) / 10));
  return { database, engine, gateway: kills - database - engine };
}

function pick(victims: readonly Mortal[], deaths: readonly Death[]): Mortal {
  const untouched = victims.filter(({ name }) => deaths.every((death) => death.name !== name));
  const choice = untouched.length > 0 ? untouched : victims;
  return choice[Math.floor(Math.random() * choice.length)]!;
}

function between(least: number, most: number): number {
  return least + Math.random() * (most - least);
}
