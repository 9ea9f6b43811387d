/** Many engines, many callers: bursts, floods, engines that die and a gateway that dies. */
import { createCrowd, createDice } from './crowd.ts';
import { jain, quantile } from './service-ledger.ts';
import { type Answered, createSimulatedGateway, type SimulatedGateway } from './simulated-gateway.ts';
import { orderedBy, type OrderName } from './laws.ts';
import { createWorld, keyOf, type PoolPlan, type World } from './world.ts';

export interface CityPlan {
  readonly engines: number;
  readonly callers: number;
  readonly seconds: number;
  readonly seats: number;
  /** Steps of engines taken as one. */
  readonly stride: number;
  readonly order?: OrderName;
}

export interface CityFigures {
  readonly completed: number;
  readonly refused: number;
  readonly failed: number;
  readonly lost: number;
  readonly mostWaiting: number;
  /** Of all seat-seconds, those that were free while somebody waited for them. */
  readonly idleWhileWaited: number;
  /** First token of those who ask one question after the other. */
  readonly calmP50: number;
  readonly calmP95: number;
  /** The same for those who always have eight questions in the line. */
  readonly floodP95: number;
  /** Between the calm callers of one pool: the smallest of all pools. */
  readonly leastJain: number;
  readonly neverServed: number;
  readonly asking: readonly number[];
  readonly ending: readonly number[];
}

const engineDeaths = 0.05;
const floodShare = 0.02;

export async function liveInCity(plan: CityPlan): Promise<CityFigures> {
  const pools = poolsFor(plan);
  const world = createWorld({ pools, speed: { stride: plan.stride } });
  const { time, engines } = world;
  const served = new Map<string, number>();
  const start = () =>
    createSimulatedGateway(world, {
      served: (key, cost) => served.set(key, (served.get(key) ?? 0) + cost),
      ...orderedBy(plan.order ?? 'fair'),
    });
  let gateway = start();
  const gateways = [gateway];
  const crowd = createCrowd(world, (key, question) => gateway.ask(key, question));
  const callers = addCallers();
  const endMs = plan.seconds * 1000;
  const dying = [...engines.values()].filter((_, index) => index % Math.round(1 / engineDeaths) === 1);
  time.after(endMs * 0.25, () => {
    for (const engine of dying) engine.die();
  });
  time.after(endMs * 0.5, () => {
    for (const engine of dying) engine.isAlive = true;
  });
  time.after(endMs * 0.6, () => {
    gateway.die();
    for (const engine of engines.values()) engine.forgetAll();
    gateway = start();
    gateways.push(gateway);
  });
  const watched = await watch(world, () => gateway, pools, endMs);

  const all = [...crowd.all()].flat();
  const ended = (ending: Answered['ending']) => all.filter((answer) => answer.ending === ending).length;
  const firstTokens = (isFlood: boolean) =>
    callers
      .filter((caller) => caller.isFlood === isFlood)
      .flatMap(({ key }) => crowd.answersOf(key))
      .filter(({ ending }) => ending === 'completed')
      .map(({ firstTokenMs }) => firstTokenMs);
  const calm = firstTokens(false);
  return {
    completed: ended('completed'),
    refused: ended('refused'),
    failed: ended('failed'),
    lost: ended('lost'),
    ...watched,
    calmP50: quantile(calm, 0.5),
    calmP95: quantile(calm, 0.95),
    floodP95: quantile(firstTokens(true), 0.95),
    leastJain: Math.min(...pools.map((_, pool) => jain(servedIn(pool)))),
    neverServed: callers.filter(({ key }) => !served.has(key)).length,
    asking: gateways.flatMap(({ decisions }) => decisions.asking),
    ending: gateways.flatMap(({ decisions }) => decisions.ending),
  };

  function servedIn(pool: number): number[] {
    return callers
      .filter((caller) => caller.pool === pool && !caller.isFlood)
      .map(({ key }) => served.get(key) ?? 0);
  }

  function addCallers() {
    const dice = createDice();
    const perEngine = plan.callers / plan.engines;
    const made: { readonly key: string; readonly pool: number; readonly isFlood: boolean }[] = [];
    for (const [pool, { models, engines: count }] of pools.entries())
      for (let caller = 0; caller < count * perEngine; caller++) {
        const key = keyOf(`${pool}-${caller}`, `project-${made.length % Math.ceil(plan.callers / 100)}`);
        const isFlood = caller % Math.round(1 / floodShare) === 0;
        const model = world.model(models[caller % models.length] ?? '');
        const question = () => ({
          model,
          inputTokens: dice.between(50, 1500),
          outputTokens: dice.between(20, 400),
          maxOutputTokens: undefined,
          sequences: 1,
          prefix: undefined,
        });
        const beginsMs = dice.between(0, 20_000);
        crowd.add({
          key,
          width: isFlood ? 8 : 1,
          thinkMs: () => (isFlood ? 0 : dice.exponential(40_000)),
          question,
          beginsMs,
        });
        // A burst: everybody in a tenth of the crowd asks once more at the same moment.
        if (caller % 10 === 1)
          crowd.add({ key, width: 1, thinkMs: () => Infinity, question, beginsMs: 30_000 });
        made.push({ key, pool, isFlood });
      }
    return made;
  }
}

/** One large pool with two models, and many small ones. */
function poolsFor({ engines, seats }: CityPlan): PoolPlan[] {
  const inLarge = Math.max(1, Math.round(engines / 5));
  const pools: PoolPlan[] = [{ models: ['large-a', 'large-b'], engines: inLarge, seats }];
  for (let left = engines - inLarge; left > 0; left -= 8)
    pools.push({ models: [`small-${pools.length}`], engines: Math.min(8, left), seats });
  return pools;
}

async function watch(
  { time, engines }: World,
  gatewayNow: () => SimulatedGateway,
  pools: readonly PoolPlan[],
  endMs: number,
): Promise<Pick<CityFigures, 'mostWaiting' | 'idleWhileWaited'>> {
  const lookEveryMs = 1000;
  let mostWaiting = 0;
  let idle = 0;
  let all = 0;
  for (let nowMs = lookEveryMs; nowMs <= endMs; nowMs += lookEveryMs) {
    await time.runUntil(nowMs);
    const waiting = gatewayNow().line.waiting();
    const total = [...waiting.values()].reduce((a, b) => a + b, 0);
    mostWaiting = Math.max(mostWaiting, total);
    const free = new Map<string, number>();
    for (const { engineName, state, outstanding, maxConcurrent } of gatewayNow().routing.health()) {
      all += maxConcurrent;
      const pool = engineName.split('-')[1] ?? '';
      if (state !== 'ejected' && engines.get(engineName)?.isAlive === true)
        free.set(pool, (free.get(pool) ?? 0) + maxConcurrent - outstanding);
    }
    for (const [pool, { models }] of pools.entries()) {
      const inLine = models.reduce((sum, model) => sum + (waiting.get(model) ?? 0), 0);
      idle += Math.min(inLine, free.get(String(pool)) ?? 0);
    }
  }
  return { mostWaiting, idleWhileWaited: idle / all };
}
