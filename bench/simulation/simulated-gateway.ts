import { createAdmission } from '#admission';
import { createPeers } from '#peers';
import { createRouting, type Routing } from '#routing';
import {
  createLimitKeeper,
  createSharing,
  noCrowdElsewhere,
  shareConsumption,
  shareCrowds,
  type Sharing,
  type SharingOptions,
} from '#sharing';
import type { Catalogue } from '#vocabulary/catalogue';
import type { AppliedLimits } from '#vocabulary/limits';
import type { Route } from '#vocabulary/inference';
import type { GatewayNews, NewsBoard } from '#vocabulary/peers';
import { Refusal } from '#vocabulary/refusal';
import { type ConsumptionNews, noOtherGateway } from '#vocabulary/sharing';
import type { Job } from './engine-model.ts';
import { incomingFrom, parsedFrom, type Question } from './simulated-request.ts';
import type { World } from './world.ts';

/** The product's own admission, sharing and routing in front of engines that are only calculated. */
export interface SimulatedGateway {
  ask(key: string, question: Question): Promise<Answered>;
  readonly routing: Routing;
  readonly line: Line;
  /** Microseconds of real time that the rooms took to take requests in, and to end turns and give out places. */
  readonly decisions: { readonly asking: number[]; readonly ending: number[] };
  /** Other models or engines from now on. */
  apply(catalogue: Catalogue): void;
  /** Another gateway was found dead. */
  hearOfDeath(gatewayId: string): void;
  /** The process is gone: whoever waits or is served loses the connection. */
  die(): void;
}

/** The part of sharing that orders; others can stand in for it, to compare. */
export type Line = Pick<Sharing, 'takeTurn' | 'waiting' | 'stop'>;

export interface Answered {
  readonly ending: 'completed' | 'refused' | 'failed' | 'lost';
  /** From asking to the first token. */
  readonly firstTokenMs: number;
  readonly waitMs: number;
  readonly code?: string;
}

export interface GatewayPlan {
  /** What an engine has worked for somebody, as it happens. */
  readonly served?: (key: string, cost: number) => void;
  readonly sharing?: Partial<Pick<SharingOptions, 'limits' | 'quantum' | 'backgroundShare'>>;
  readonly news?: ConsumptionNews;
  readonly limitsFor?: (key: string) => readonly AppliedLimits[];
  /** Where it meets the other gateways of the world. */
  readonly board?: NewsBoard;
  readonly lineOf?: (world: World, routing: Routing) => Line;
}

const factors = { input: 1, cachedInput: 0.1, output: 3 };

export function createSimulatedGateway(world: World, plan: GatewayPlan = {}): SimulatedGateway {
  const { time, engines, catalogue } = world;
  const present = new Set<() => void>();
  const decisions = { asking: [] as number[], ending: [] as number[] };
  const admission = createAdmission({
    catalogue: () => catalogue,
    publicUrl: () => 'http://gateway',
    keyRing: world.keyRing,
    projects: world.projects,
    clock: time,
  });
  let isDead = false;
  const board = plan.board && {
    ...plan.board,
    exchange: (own: GatewayNews) =>
      isDead || plan.board === undefined ? new Promise<never>(() => {}) : plan.board.exchange(own),
  };
  const peers = board && createPeers({ board, clock: time, timers: time, logger: world.logger });
  const ownId = () => board?.ownId ?? '';
  const routing = createRouting({
    catalogue,
    ...(peers && {
      others: { peers, ownId, sharedName: ({ name }) => name, demand: () => demand() },
    }),
    probe: ({ name }) =>
      Promise.resolve(engines.get(name)?.isAlive === true ? undefined : 'the engine is dead'),
    probeIntervalMs: 30_000,
    isAlive: ({ name }) => Promise.resolve(engines.get(name)?.isAlive === true),
    onDead: () => {},
    readLoad: ({ name }) =>
      Promise.resolve({ inHand: engines.get(name)?.running ?? 0, queued: 0, cacheUse: undefined }),
    loadIntervalMs: 1000,
    clock: time,
    timers: time,
    logger: world.logger,
  });
  let demand: Sharing['demand'] = () => new Map();
  let applyToLine: Sharing['apply'] = () => {};
  const line: Line = plan.lineOf?.(world, routing) ?? createLine();
  void peers?.start();

  function createLine(): Line {
    const sharing = createSharing({
      catalogue,
      routes: routing,
      keeper: createLimitKeeper(time, peers && { peers, ownId, timers: time }),
      news: plan.news ?? (peers === undefined ? noOtherGateway : shareConsumption(peers, time)),
      crowds: peers === undefined ? noCrowdElsewhere : shareCrowds(peers, ownId),
      limitsFor: ({ keyId }) => plan.limitsFor?.(keyId ?? '') ?? [],
      assumedOutputTokens: 1024,
      limits: {
        maxWaiting: 100_000,
        maxWaitingPerMember: 100_000,
        maxRunningPerMember: 100_000,
        maxWaitMs: 3_600_000,
      },
      factors,
      backgroundShare: 0.05,
      quantum: 16_384,
      ...plan.sharing,
      clock: time,
      timers: time,
    });
    ({ demand, apply: applyToLine } = sharing);
    return sharing;
  }

  return {
    routing,
    line,
    decisions,
    ask: (key, question) =>
      new Promise((resolve) => {
        const lost = () => resolve({ ending: 'lost', firstTokenMs: Infinity, waitMs: Infinity });
        present.add(lost);
        void serve(key, question).then((answered) => {
          if (present.delete(lost)) resolve(answered);
        });
      }),
    apply(next) {
      routing.apply(next);
      applyToLine(next);
    },
    hearOfDeath: (gatewayId) => peers?.forget(gatewayId),
    die() {
      const all = [...present];
      present.clear();
      line.stop();
      routing.stop();
      isDead = true;
      for (const lost of all) lost();
    },
  };

  async function serve(key: string, question: Question): Promise<Answered> {
    const askedMs = time.monotonicMs();
    try {
      const incoming = incomingFrom(key, time);
      let begunMs = performance.now();
      const identity = admission.identify(incoming);
      const identifiedMs = performance.now() - begunMs;
      const request = parsedFrom(incoming, identity, question);
      const progress = { outputTokens: 0, place: undefined };
      begunMs = performance.now();
      using _ticket = admission.admit(request, identity);
      const promise = line.takeTurn(request, progress, question.wasAdmitted);
      decisions.asking.push((performance.now() - begunMs + identifiedMs) * 1000);
      const turn = await promise;
      const written = await writeWithAnother(turn.route, key, question, progress);
      begunMs = performance.now();
      if (written !== undefined)
        turn.settle({
          inputTokens: question.inputTokens,
          outputTokens: question.outputTokens * question.sequences,
          cachedTokens: written.cachedTokens,
          reasoningTokens: 0,
          isEstimated: false,
        });
      turn[Symbol.dispose]();
      decisions.ending.push((performance.now() - begunMs) * 1000);
      return {
        ending: written === undefined ? 'failed' : 'completed',
        firstTokenMs: written === undefined ? Infinity : written.firstTokenMs - askedMs,
        waitMs: turn.waitMs,
      };
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      return {
        ending: 'refused',
        firstTokenMs: Infinity,
        waitMs: time.monotonicMs() - askedMs,
        code: thrown.code,
      };
    }
  }

  /** As the flow does it: a second try elsewhere while the caller has seen nothing. */
  async function writeWithAnother(
    route: Route,
    key: string,
    question: Question,
    progress: { outputTokens: number },
  ): Promise<Written | undefined> {
    const first = await write(route, key, question, progress);
    if (first !== undefined) return first;
    routing.failed(route, 'the connection broke');
    if (progress.outputTokens > 0) return undefined;
    using other = routing.takeAnother(route, ({ name }) => name !== route.engine.name, true);
    if (other === undefined) return undefined;
    const second = await write(other, key, question, progress);
    if (second === undefined) routing.failed(other, 'the connection broke');
    return second;
  }

  function write(
    route: Route,
    key: string,
    question: Question,
    progress: { outputTokens: number },
  ): Promise<Written | undefined> {
    return new Promise((resolve) => {
      let firstTokenMs = Infinity;
      let left = question.sequences;
      let hasFailed = false;
      const job: Job = {
        ...question,
        worked(read, written) {
          if (written > 0 && firstTokenMs === Infinity) firstTokenMs = time.monotonicMs();
          progress.outputTokens += written;
          plan.served?.(key, read * factors.input + written * factors.output);
        },
        finished(cachedTokens) {
          left--;
          if (left > 0 || hasFailed) return;
          plan.served?.(key, cachedTokens * factors.cachedInput);
          routing.succeeded(route.engine.name);
          resolve({ firstTokenMs, cachedTokens });
        },
        failed() {
          hasFailed = true;
          resolve(undefined);
        },
      };
      for (let sequence = 0; sequence < question.sequences; sequence++)
        engines.get(route.engine.name)?.accept(job);
    });
  }
}

interface Written {
  readonly firstTokenMs: number;
  readonly cachedTokens: number;
}
