/** What a decision costs in real time when many wait, and what is kept of people who never come back. */
import type { AppliedLimits } from '#vocabulary/limits';
import { createSimulatedGateway, type SimulatedGateway } from './simulated-gateway.ts';
import { createWorld, keyOf, type PoolPlan } from './world.ts';

export interface DecisionFigures {
  readonly name: string;
  readonly asking: readonly number[];
  readonly ending: readonly number[];
}

interface Shape {
  readonly name: string;
  readonly pools: readonly PoolPlan[];
  readonly members: number;
  readonly projects: number;
  /** What a member may do is counted by key, person and project. */
  readonly isLimited?: boolean;
}

const waiting = 10_000;
const turns = 30_000;

export const decisionShapes: readonly Shape[] = [
  {
    name: '10,000 waiting, of one member',
    pools: [{ models: ['m'], engines: 1, seats: 64 }],
    members: 1,
    projects: 1,
  },
  {
    name: '… of 10,000 members',
    pools: [{ models: ['m'], engines: 1, seats: 64 }],
    members: 10_000,
    projects: 1,
  },
  {
    name: '… of 10,000 members in 100 projects',
    pools: [{ models: ['m'], engines: 1, seats: 64 }],
    members: 10_000,
    projects: 100,
  },
  {
    name: '… of 10,000 members in 1,000 projects',
    pools: [{ models: ['m'], engines: 1, seats: 64 }],
    members: 10_000,
    projects: 1000,
  },
  {
    name: '… for 1,000 engines of one pool',
    pools: [{ models: ['m'], engines: 1000, seats: 8 }],
    members: 10_000,
    projects: 100,
  },
  {
    name: '… for 16 models on one pool',
    pools: [{ models: Array.from({ length: 16 }, (_, index) => `m${index}`), engines: 16, seats: 8 }],
    members: 10_000,
    projects: 100,
  },
  {
    name: '… in 100 pools',
    pools: Array.from({ length: 100 }, (_, index) => ({ models: [`m${index}`], engines: 2, seats: 8 })),
    members: 10_000,
    projects: 100,
  },
  {
    name: '… with all limits on',
    pools: [{ models: ['m'], engines: 1, seats: 64 }],
    members: 10_000,
    projects: 100,
    isLimited: true,
  },
];

/** As many wait all the time: whoever was answered is followed by another question. */
export async function measureDecisions(shape: Shape): Promise<DecisionFigures> {
  const world = createWorld({ pools: shape.pools, speed: { stride: 64 } });
  const gateway = createSimulatedGateway(world, shape.isLimited === true ? { limitsFor } : {});
  const models = shape.pools.flatMap((pool) => pool.models);
  const places = shape.pools.reduce((sum, { engines, seats }) => sum + engines * seats, 0);
  for (let index = 0; index < waiting + places; index++) void askOn(index);
  while (gateway.decisions.ending.length < turns) await world.time.runUntil(world.time.monotonicMs() + 500);
  gateway.die();
  // The first decisions are those of code that is not compiled yet.
  return {
    name: shape.name,
    asking: gateway.decisions.asking.slice(waiting),
    ending: gateway.decisions.ending.slice(turns / 3),
  };

  async function askOn(index: number): Promise<void> {
    const member = index % shape.members;
    const key = keyOf(`member-${member}`, `project-${member % shape.projects}`);
    const question = {
      model: world.model(models[index % models.length] ?? ''),
      inputTokens: 300,
      outputTokens: 64,
      maxOutputTokens: undefined,
      sequences: 1,
      prefix: undefined,
    };
    for (;;) await gateway.ask(key, question);
  }
}

const everyLimit = {
  requestsPerMinute: 1e9,
  tokensPerMinute: 1e12,
  requestsAtOnce: 1e6,
  costPerDay: 1e15,
  costPerMonth: 1e15,
  costInTotal: 1e15,
};
/** Found once for each, as the directory of projects does it. */
const known = new Map<string, readonly AppliedLimits[]>();

function limitsFor(key: string): readonly AppliedLimits[] {
  let limits = known.get(key);
  if (limits === undefined) {
    const [project = ''] = key.split(' ');
    limits = [
      { scope: 'key', subject: `key:${key}`, modelId: undefined, limits: everyLimit },
      { scope: 'person', subject: `person:${key}`, modelId: undefined, limits: everyLimit },
      { scope: 'project', subject: `project:${project}`, modelId: undefined, limits: everyLimit },
      { scope: 'member', subject: `member:${project}:${key}`, modelId: undefined, limits: everyLimit },
    ];
    known.set(key, limits);
  }
  return limits;
}

/** So many members, each with one question and never again. */
export async function passersBy(count: number) {
  const world = createWorld({ pools: [{ models: ['m'], engines: 1, seats: 64 }], speed: { stride: 64 } });
  const gateway = createSimulatedGateway(world);
  const question = {
    model: world.model('m'),
    inputTokens: 100,
    outputTokens: 64,
    maxOutputTokens: undefined,
    sequences: 1,
    prefix: undefined,
  };
  await pass(gateway, 0, count / 100);
  forgetDecisions(gateway);
  const heapBeforeMb = heapMb();
  const begunMs = performance.now();
  await pass(gateway, count / 100, count);
  const microsEach = ((performance.now() - begunMs) * 1000) / count;
  forgetDecisions(gateway);
  return { heapBeforeMb, heapAfterMb: heapMb(), microsEach };

  async function pass(to: SimulatedGateway, from: number, until: number): Promise<void> {
    for (let member = from; member < until;) {
      const answers: Promise<unknown>[] = [];
      for (const end = Math.min(until, member + 128); member < end; member++)
        answers.push(to.ask(keyOf(`passer-by-${member}`), question));
      await Promise.all([Promise.all(answers), world.time.runUntil(world.time.monotonicMs() + 5000)]);
    }
  }
}

function forgetDecisions({ decisions }: SimulatedGateway): void {
  decisions.asking.length = 0;
  decisions.ending.length = 0;
}

function heapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
