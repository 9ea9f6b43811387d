import assert from 'node:assert/strict';
import test from 'node:test';
import { createCrowd, createDice } from '../../bench/simulation/crowd.ts';
import { createSimulatedBoard, type SimulatedBoard } from '../../bench/simulation/simulated-board.ts';
import { createSimulatedGateway, type SimulatedGateway } from '../../bench/simulation/simulated-gateway.ts';
import { createWorld, keyOf, type World } from '../../bench/simulation/world.ts';
import type { AppliedLimits, Limits } from '#vocabulary/limits';

/** Several gateways with the service's own rooms, on one board and a virtual clock, with every delay drawn by lot. */
interface Town {
  readonly world: World;
  readonly board: SimulatedBoard;
  readonly gateways: readonly SimulatedGateway[];
  readonly dice: ReturnType<typeof createDice>;
  /** Answers that are being written, all gateways together. */
  running(): number;
  /** The most that ever were, since it was last asked. */
  most(): number;
}

function buildTown(plan: {
  seed: number;
  gateways: number;
  seats: number;
  limits?: Limits;
  serve?: (key: string, cost: number) => void;
}): Town {
  const world = createWorld({ pools: [{ models: ['m'], engines: 1, seats: plan.seats }] });
  const dice = createDice(plan.seed);
  const board = createSimulatedBoard(world.time, () => dice.between(0, 40));
  const running = () => world.engines.get('engine-0-0')?.running ?? 0;
  let most = 0;
  const gateways = Array.from({ length: plan.gateways }, (_, index) =>
    createSimulatedGateway(world, {
      board: board.boardOf(`gateway-${index}`),
      served(key, cost) {
        most = Math.max(most, running());
        plan.serve?.(key, cost);
      },
      limitsFor: (keyId) => (plan.limits === undefined ? [] : [applied(keyId, plan.limits)]),
    }),
  );
  return {
    world,
    board,
    gateways,
    dice,
    running,
    most() {
      const seen = most;
      most = 0;
      return seen;
    },
  };
}

function applied(keyId: string, limits: Limits): AppliedLimits {
  return { scope: 'key', subject: `key:${keyId}`, modelId: undefined, limits };
}

const seeds = [1, 2];

test('an engine never gets more from all gateways together than it has places, and no place is lost', async () => {
  for (const seed of seeds) {
    const seats = 2 + seed;
    const { world, gateways, dice, running, most } = buildTown({ seed, gateways: 3, seats });
    const { time } = world;
    let idle = 0;
    const look = time.every(50, () => {
      if (time.monotonicMs() > 5_000) idle += seats - running();
    });
    for (const [index, gateway] of gateways.entries())
      createCrowd(world, gateway.ask).add({
        key: keyOf(`member-${index}`),
        beginsMs: 1_000,
        width: index === 0 ? 3 * seats : 2,
        thinkMs: () => (index === 0 ? 0 : dice.between(0, 800)),
        question: () => ({ ...question(world), outputTokens: Math.round(dice.between(5, 60)) }),
      });
    await time.runUntil(12_000);
    look[Symbol.dispose]();
    assert.equal(most(), seats, `seed ${seed}`);
    const share = idle / (140 * seats);
    assert.ok(share < 0.35, `${share} of the places were free while somebody waited (seed ${seed})`);
  }
});

test('whoever floods one gateway is behind at the others, and whoever is alone at one gets the same as all', async () => {
  const worked = new Map<string, number>();
  const { world, gateways, dice } = buildTown({
    seed: 7,
    gateways: 2,
    seats: 8,
    serve: (key, cost) => worked.set(key, (worked.get(key) ?? 0) + cost),
  });
  const [flood, calm] = [keyOf('flood'), keyOf('calm')];
  const [here, there] = gateways.map((gateway) => createCrowd(world, gateway.ask));
  const some = () => ({ ...question(world), outputTokens: Math.round(dice.between(20, 100)) });
  here?.add({ key: flood, width: 40, thinkMs: () => 0, question: some });
  there?.add({ key: flood, width: 40, thinkMs: () => 0, question: some });
  there?.add({ key: calm, width: 10, thinkMs: () => 0, question: some });
  await world.time.runUntil(25_000);
  const ratio = (worked.get(flood) ?? 0) / (worked.get(calm) ?? 0);
  assert.ok(ratio < 1.25, `the flood got ${ratio} times as much`);
});

test('limits hold for all gateways together, but for one request of each', async () => {
  for (const seed of seeds) {
    const count = 2 + (seed % 2);
    const limits: Limits = { requestsPerMinute: 30, requestsAtOnce: 6 };
    const { world, gateways, dice, most } = buildTown({ seed, gateways: count, seats: 100, limits });
    let completed = 0;
    for (const gateway of gateways)
      createCrowd(world, async (key, asked) => {
        const answered = await gateway.ask(key, asked);
        if (answered.ending === 'completed') completed++;
        return answered;
      }).add({
        key: keyOf('limited'),
        beginsMs: 1_000,
        width: 8,
        thinkMs: () => dice.between(0, 50),
        question: () => ({ ...question(world), outputTokens: Math.round(dice.between(2, 20)) }),
      });
    await world.time.runUntil(31_000);
    const atOnce = most();
    assert.ok(atOnce <= 6 + count - 1, `${atOnce} at once, of 6 (seed ${seed})`);
    assert.ok(
      completed <= 45 + count - 1,
      `${completed} in half a minute, of 30 and 15 that grow (seed ${seed})`,
    );
    assert.ok(completed >= 43, `only ${completed} (seed ${seed})`);
  }
});

test('one caller at one gateway of three gets all of the limit, without a refusal', async () => {
  const { world, gateways } = buildTown({
    seed: 1,
    gateways: 3,
    seats: 50,
    limits: { requestsPerMinute: 40 },
  });
  await world.time.runUntil(1_000);
  const [first] = gateways as [SimulatedGateway];
  const answers = await ended(
    world,
    Array.from({ length: 40 }, () => first.ask(keyOf('eager'), question(world))),
  );
  assert.deepEqual(new Set(answers.map((answer) => answer.ending)), new Set(['completed']));
  const [oneMore] = await ended(world, [first.ask(keyOf('eager'), question(world))]);
  assert.equal(oneMore?.code, 'rate_limit_exceeded');
});

test('what a killed gateway held comes back within a few seconds: places, requests at once and budgets', () =>
  killOne({ isFoundDead: false, backWithinMs: 4_500 }));

test('what it held comes back at once where somebody has found it dead', () =>
  killOne({ isFoundDead: true, backWithinMs: 250 }));

async function killOne(plan: { isFoundDead: boolean; backWithinMs: number }): Promise<void> {
  const limits: Limits = { requestsAtOnce: 4, costPerDay: 100_000 };
  const { world, gateways, running } = buildTown({ seed: 3, gateways: 2, seats: 4, limits });
  await world.time.runUntil(1_000);
  const long = { ...question(world), outputTokens: 20_000, maxOutputTokens: 20_000 };
  const [doomed, survivor] = gateways as [SimulatedGateway, SimulatedGateway];
  // One of them takes most of the budget, too.
  void doomed.ask(keyOf('greedy'), long);
  await world.time.runUntil(3_000);
  assert.equal(running(), 1);
  const [refused] = await ended(world, [survivor.ask(keyOf('greedy'), long)]);
  assert.equal(refused?.code, 'insufficient_quota');
  doomed.die();
  world.engines.get('engine-0-0')?.forgetAll();
  if (plan.isFoundDead) survivor.hearOfDeath('gateway-0');
  await world.time.runUntil(world.time.monotonicMs() + plan.backWithinMs);
  const asked = ['greedy', 'a', 'b', 'c'].map((name) =>
    survivor.ask(keyOf(name), { ...long, outputTokens: 100 }),
  );
  await world.time.runUntil(world.time.monotonicMs() + plan.backWithinMs / 4);
  assert.equal(running(), 4, 'all places are the survivor’s');
  const answers = await ended(world, asked);
  assert.deepEqual(new Set(answers.map((answer) => answer.ending)), new Set(['completed']));
}

test('without the database everybody goes on, and afterwards they share again', async () => {
  const { world, gateways, board, most } = buildTown({
    seed: 4,
    gateways: 2,
    seats: 4,
    limits: { requestsPerMinute: 600 },
  });
  const crowds = gateways.map((gateway) => createCrowd(world, gateway.ask));
  for (const [index, crowd] of crowds.entries())
    crowd.add({
      key: keyOf(`m${index}`),
      width: 6,
      thinkMs: () => 0,
      question: () => question(world),
      beginsMs: 1_000,
    });
  const completed = () =>
    crowds.map(
      (crowd, index) =>
        crowd.answersOf(keyOf(`m${index}`)).filter(({ ending }) => ending === 'completed').length,
    );
  await world.time.runUntil(5_000);
  board.isReachable = false;
  const before = completed();
  await world.time.runUntil(15_000);
  for (const [index, count] of completed().entries())
    assert.ok(count > (before[index] ?? 0) + 20, `gateway ${index} answered ${count} after ${before[index]}`);
  board.isReachable = true;
  await world.time.runUntil(20_000);
  most();
  await world.time.runUntil(25_000);
  assert.equal(most(), 4);
});

function question(world: World) {
  return {
    model: world.model('m'),
    inputTokens: 50,
    outputTokens: 20,
    maxOutputTokens: 200,
    sequences: 1,
    prefix: undefined,
  };
}

/** Lets time pass until all are answered. */
async function ended<T>(world: World, asked: readonly Promise<T>[]): Promise<T[]> {
  const answers: T[] = [];
  for (const promise of asked) void promise.then((answer) => answers.push(answer));
  while (answers.length < asked.length) await world.time.runUntil(world.time.monotonicMs() + 100);
  return answers;
}
