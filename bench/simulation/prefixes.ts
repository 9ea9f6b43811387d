/** Members whose prompts begin with a long text of their own, on engines that hold only some of those texts. */
import { createCrowd, createDice } from './crowd.ts';
import { orderedBy, type OrderName } from './laws.ts';
import { quantile } from './service-ledger.ts';
import { createSimulatedGateway } from './simulated-gateway.ts';
import { createWorld, keyOf } from './world.ts';

export interface PrefixFigures {
  readonly tokensPerSecond: number;
  readonly firstTokenP90: number;
}

const engines = 4;
const members = 64;
const prefixTokens = 4096;

export interface PrefixLoad {
  readonly name: string;
  /** How much of all beginnings the engines together can hold, counted once. */
  readonly held: number;
  readonly thinkMs: number;
}

export const prefixLoads: readonly PrefixLoad[] = [
  { name: 'own prefixes of 64 members, room for 1.6 of each', held: 1.6, thinkMs: 3500 },
  { name: '… room for 1.25, more work than the engines can do', held: 1.25, thinkMs: 1500 },
];

export async function sharedPrefixes(
  load: PrefixLoad,
  seconds: number,
): Promise<Record<'fair' | 'firstCome' | 'longest' | 'roundRobin', PrefixFigures>> {
  return {
    fair: await measure('fair', load, seconds),
    firstCome: await measure('first-come', load, seconds),
    longest: await measure('longest-prefix', load, seconds),
    roundRobin: await measure('round-robin', load, seconds),
  };
}

async function measure(order: OrderName, load: PrefixLoad, seconds: number): Promise<PrefixFigures> {
  const world = createWorld({
    pools: [{ models: ['m'], engines, seats: 8 }],
    speed: {
      heldTokens: Math.round((members * prefixTokens * load.held) / engines),
      promptMsPerToken: 0.1,
    },
  });
  const gateway = createSimulatedGateway(world, orderedBy(order));
  const crowd = createCrowd(world, gateway.ask);
  const dice = createDice();
  for (let member = 0; member < members; member++)
    crowd.add({
      key: keyOf(`member-${member}`),
      width: 1,
      beginsMs: dice.between(0, 5000),
      thinkMs: () => dice.exponential(load.thinkMs),
      question: () => ({
        model: world.model('m'),
        inputTokens: prefixTokens + dice.between(20, 200),
        outputTokens: dice.between(20, 80),
        maxOutputTokens: undefined,
        sequences: 1,
        prefix: { name: `prefix-${member}`, tokens: prefixTokens },
      }),
    });
  await world.time.runUntil(seconds * 1000);
  const answers = [...crowd.all()].flat();
  const firstTokens = answers.map(({ firstTokenMs }) => firstTokenMs);
  return { tokensPerSecond: (answers.length * 50) / seconds, firstTokenP90: quantile(firstTokens, 0.9) };
}
