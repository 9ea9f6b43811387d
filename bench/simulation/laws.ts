/** What must hold in every line, whatever comes. Each takes place in a world of its own and gives its figures. */
import { createCrowd, createDice } from './crowd.ts';
import { createServiceLedger, quantile } from './service-ledger.ts';
import { createSimulatedGateway, type GatewayPlan, type SimulatedGateway } from './simulated-gateway.ts';
import type { ConsumptionNews, Share } from '#vocabulary/sharing';
import type { Question } from './simulated-request.ts';
import { createWorld, keyOf, type World } from './world.ts';
import { plainLine, type PlainOrder } from './plain-lines.ts';

export type OrderName = 'fair' | PlainOrder;

const seats = 8;
const factors = { input: 1, output: 3 };
const elsewherePerSecond = 500;
/** Whoever comes to an empty engine takes it whole; from the second batch on everybody wants more. */
const firstBatchMs = 10_000;

/** The product's own line, or another one in its place. */
export function orderedBy(order: OrderName): Pick<GatewayPlan, 'lineOf'> {
  return order === 'fair' ? {} : { lineOf: plainLine(order) };
}

/** Two who always want more: one with long prompts and short answers, one the other way round. */
export async function promptsAgainstAnswers(order: OrderName, seconds: number) {
  const world = createWorld({ pools: [{ models: ['m'], engines: 1, seats }] });
  const [prompts, answers] = [keyOf('prompts'), keyOf('answers')];
  const ledger = createServiceLedger(world.time, [prompts, answers]);
  const gateway = createSimulatedGateway(world, { served: ledger.note, ...orderedBy(order) });
  const crowd = createCrowd(world, gateway.ask);
  const dice = createDice();
  const flood = { width: 3 * seats, thinkMs: () => 0 };
  crowd.add({
    key: prompts,
    ...flood,
    question: () => ask(world, dice.between(1500, 2000), dice.between(10, 30)),
  });
  crowd.add({
    key: answers,
    ...flood,
    question: () => ask(world, dice.between(10, 50), dice.between(300, 500)),
  });
  const idleSeats = await runAndWatch(world, gateway, seconds, seats);
  const finished = [...crowd.all()].reduce((sum, { length }) => sum + length, 0);
  const tenBatchesMs = (10 * seats * seconds * 1000) / finished;
  // Twice the largest of one prompt and one full batch, in cost (arXiv 2401.00588, theorem 4.4).
  const bound = 2 * Math.max(factors.input * 2000, factors.output * seats * (2000 + 500));
  return {
    largestGap: ledger.largestGap(),
    bound,
    leastJain: Math.min(...ledger.jainOver(tenBatchesMs, [prompts, answers], firstBatchMs)),
    idleSeats,
  };
}

/** Two projects of weight 1 and 3, each with several members who always want more. */
export async function weightedProjects(seconds: number) {
  const world = createWorld({
    pools: [{ models: ['m'], engines: 2, seats }],
    weights: { one: 1, three: 3 },
  });
  const ledger = createServiceLedger(world.time);
  const gateway = createSimulatedGateway(world, {
    served: (key, cost) => ledger.note(key.split(' ')[0] ?? '', cost),
  });
  const crowd = createCrowd(world, gateway.ask);
  const dice = createDice();
  for (const [project, members] of [
    ['one', 5],
    ['three', 2],
  ] as const)
    for (let member = 0; member < members; member++)
      crowd.add({
        key: keyOf(`${project}-${member}`, project),
        width: 3 * seats,
        thinkMs: () => 0,
        question: () => ask(world, dice.between(100, 500), dice.between(50, 250)),
      });
  await world.time.runUntil(firstBatchMs);
  const [three, one] = [ledger.total('three'), ledger.total('one')];
  const idleSeats = await runAndWatch(world, gateway, seconds, 2 * seats);
  return { ratio: (ledger.total('three') - three) / (ledger.total('one') - one), idleSeats };
}

/** Background work beside interactive work that would take everything. */
export async function backgroundBesideFlood(seconds: number) {
  const world = createWorld({ pools: [{ models: ['m'], engines: 1, seats }] });
  const ledger = createServiceLedger(world.time);
  const gateway = createSimulatedGateway(world, {
    served: (key, cost) => ledger.note(key.split(' ')[2] ?? '', cost),
  });
  const crowd = createCrowd(world, gateway.ask);
  const dice = createDice();
  const question = () => ask(world, dice.between(100, 500), dice.between(50, 250));
  for (const lane of ['interactive', 'background'] as const)
    crowd.add({ key: keyOf(lane, 'everyone', lane), width: 3 * seats, thinkMs: () => 0, question });
  const idleSeats = await runAndWatch(world, gateway, seconds, seats);
  const [interactive, background] = [ledger.total('interactive'), ledger.total('background')];
  return { share: background / (background + interactive), idleSeats };
}

/** One who floods, beside one who asks now and then. Without the flood it is what the other has alone. */
export async function floodBesideOccasional(order: OrderName, isFlooded: boolean, seconds: number) {
  const world = createWorld({ pools: [{ models: ['m'], engines: 1, seats }] });
  const [heavy, light] = [keyOf('heavy'), keyOf('light')];
  const ledger = createServiceLedger(world.time);
  const gateway = createSimulatedGateway(world, { served: ledger.note, ...orderedBy(order) });
  const crowd = createCrowd(world, gateway.ask);
  const dice = createDice();
  if (isFlooded)
    crowd.add({
      key: heavy,
      width: 50,
      thinkMs: () => 0,
      question: () => ask(world, dice.between(100, 600), dice.between(100, 300)),
    });
  const own = createDice(2);
  crowd.add({
    key: light,
    width: 1,
    beginsMs: 5000,
    thinkMs: () => 1000 + own.exponential(2000),
    question: () => ask(world, own.between(100, 600), own.between(50, 150)),
  });
  await world.time.runUntil(seconds * 1000);
  const firstTokens = crowd.answersOf(light).map(({ firstTokenMs }) => firstTokenMs);
  return {
    lightP50: quantile(firstTokens, 0.5),
    lightP95: quantile(firstTokens, 0.95),
    costPerSecond: (ledger.total(heavy) + ledger.total(light)) / seconds,
    heavyCostPerSecond: ledger.total(heavy) / seconds,
  };
}

/** Two who always want more; one of them is served by another gateway too, the same every second. */
export async function servedElsewhereToo(seconds: number) {
  const world = createWorld({ pools: [{ models: ['m'], engines: 1, seats }] });
  const [here, everywhere] = [keyOf('here'), keyOf('everywhere')];
  const ledger = createServiceLedger(world.time);
  const shares = new Map<string, Share>();
  let elsewhere = 0;
  const news: ConsumptionNews = {
    charged: (_modelId, share) => shares.set(share.memberId, share),
    onChargedElsewhere: (tell) =>
      void world.time.every(1000, () => {
        const share = shares.get('person:everywhere');
        if (share === undefined) return;
        elsewhere += elsewherePerSecond;
        tell('m', share, elsewherePerSecond);
      }),
  };
  const gateway = createSimulatedGateway(world, { served: ledger.note, news });
  const crowd = createCrowd(world, gateway.ask);
  const dice = createDice();
  for (const key of [here, everywhere])
    crowd.add({
      key,
      width: 3 * seats,
      thinkMs: () => 0,
      question: () => ask(world, dice.between(100, 500), dice.between(50, 250)),
    });
  await world.time.runUntil(seconds * 1000);
  return { ratio: (ledger.total(everywhere) + elsewhere) / ledger.total(here) };
}

/** One who needs several places at once, beside a flood of requests for single ones. */
export async function wideBesideFlood(seconds: number) {
  const world = createWorld({ pools: [{ models: ['m'], engines: 1, seats }] });
  const gateway = createSimulatedGateway(world);
  const crowd = createCrowd(world, gateway.ask);
  const dice = createDice();
  crowd.add({
    key: keyOf('single'),
    width: 3 * seats,
    thinkMs: () => 0,
    question: () => ask(world, 100, dice.between(50, 250)),
  });
  for (const name of ['wide', 'wider'])
    crowd.add({
      key: keyOf(name),
      width: 1,
      thinkMs: () => 1000,
      question: () => ({ ...ask(world, 100, 50), sequences: seats }),
    });
  await world.time.runUntil(seconds * 1000);
  const completed = (name: string) =>
    crowd.answersOf(keyOf(name)).filter(({ ending }) => ending === 'completed').length;
  return { single: completed('single'), wide: completed('wide'), wider: completed('wider') };
}

/** Seconds for which a place was free while somebody waited. */
async function runAndWatch(
  world: World,
  gateway: SimulatedGateway,
  seconds: number,
  places: number,
): Promise<number> {
  const lookEveryMs = 10;
  let idleMs = 0;
  for (let nowMs = world.time.monotonicMs() + lookEveryMs; nowMs <= seconds * 1000; nowMs += lookEveryMs) {
    await world.time.runUntil(nowMs);
    const taken = gateway.routing.health().reduce((sum, { outstanding }) => sum + outstanding, 0);
    const waiting = [...gateway.line.waiting().values()].reduce((a, b) => a + b, 0);
    if (waiting > 0 && taken < places) idleMs += lookEveryMs * (places - taken);
  }
  return idleMs / 1000;
}

export function ask(world: World, inputTokens: number, outputTokens: number): Question {
  return {
    model: world.model('m'),
    inputTokens,
    outputTokens,
    maxOutputTokens: undefined,
    sequences: 1,
    prefix: undefined,
  };
}
