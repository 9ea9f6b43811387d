/**
 * Whose turn is it, and what may they still spend? One fair line per pool of engines: every member of every project
 * gets an equal part of the work, by cost and weight, however much somebody else asks for.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Catalogue, crewsOf } from '#vocabulary/catalogue';
import type { Clock, Timers } from '#vocabulary/clock';
import type { Reply } from '#vocabulary/exchange';
import type { ParsedRequest, Turn } from '#vocabulary/inference';
import type { AppliedLimits, Standing as LimitStanding } from '#vocabulary/limits';
import { Refusal } from '#vocabulary/refusal';
import { Roster } from '#vocabulary/roster';
import type { AnswerProgress, ConsumptionNews, LinePlace, LimitedShare } from '#vocabulary/sharing';
import { type CostFactors, createCostModel } from './cost.ts';
import type { Crowd, CrowdNews } from './crowd-topic.ts';
import {
  FairLine,
  type LineLimits,
  type LineWaiter,
  queueNameOf,
  type RouteSource,
  type Standing,
} from './fair-line.ts';
import type { LimitKeeper, Reservation } from './limit-keeper.ts';
import { createLineRefusals } from './line-refusals.ts';
import type { Claim } from './meter.ts';
import { poolsOf } from './pools.ts';
import { RunningTurn } from './running-turn.ts';

export interface SharingOptions {
  readonly catalogue: Catalogue;
  readonly routes: RouteSource;
  readonly limitsFor: (share: LimitedShare, modelId: string) => readonly AppliedLimits[];
  /** Counts what limits are about. */
  readonly keeper: LimitKeeper;
  readonly news: ConsumptionNews;
  readonly crowds: CrowdNews;
  /** Output that is reserved of a budget for requests that name no ceiling themselves. */
  readonly assumedOutputTokens: number;
  readonly limits: LineLimits;
  readonly factors: CostFactors;
  /** What background work gets while interactive work wants everything; below 1. */
  readonly backgroundShare: number;
  /** Cost within which a prompt that an engine still holds may go first. */
  readonly quantum: number;
  readonly clock: Clock;
  readonly timers: Timers;
}

export interface Sharing {
  /**
   * Rejects with a refusal when the caller is gone or no engine fit; also when a limit is reached, the line full or the
   * wait too long, unless another gateway had admitted it.
   */
  takeTurn(request: ParsedRequest, progress: WaitingProgress, wasAdmitted?: boolean): Promise<Turn>;
  /** Announces what is left of the limits of such a request, for an answer that comes before its turn. */
  announceLimits(share: LimitedShare, modelId: string, reply: Pick<Reply, 'announce'>): void;
  /** What is left of every limit that applies to such a request. */
  standing(share: LimitedShare, modelId: string): readonly LimitStanding[];
  /** What the books say was spent before this process counted. */
  beginSpending: LimitKeeper['begin'];
  /** Requests in the line, by model. */
  waiting(): ReadonlyMap<string, number>;
  waitingByProject(): ReadonlyMap<string, number>;
  /** The places for which somebody waits, and how many members they are, by model. */
  demand(): ReadonlyMap<string, { readonly places: number; readonly members: number }>;
  apply(catalogue: Catalogue): void;
  stop(): void;
}

/** The answer as far as it has come, and whether its caller can be told where it stands. */
export interface WaitingProgress extends AnswerProgress {
  /** Asked for now and then while the request waits. */
  place: (() => LinePlace | undefined) | undefined;
}

const chargeIntervalMs = 250;
const nothing: Claim = { tokens: 0, cost: 0 };

export function createSharing(options: SharingOptions): Sharing {
  const { routes, keeper, clock, timers, limits } = options;
  let weights = new Map<string, number>();
  let pools = new Map<string, string>();
  let crews = new Map<string, string>();
  /** By pool; as many as there are separate sets of engines. */
  let lines = new Map<string, FairLine>();
  const costs = createCostModel({
    factors: options.factors,
    weightOf: (modelId) => weights.get(modelId) ?? 1,
  });
  const refusals = createLineRefusals((modelId) => routes.recoverySeconds(modelId));
  const running = new Roster<RunningTurn>();
  const charging = timers.every(chargeIntervalMs, () => {
    for (const turn of running.members()) turn.chargeProgress();
  });
  apply(options.catalogue);
  options.news.onChargedElsewhere((modelId, share, cost) => lineOf(modelId).chargeElsewhere(share, cost));
  options.crowds.tell(everyCrowd, () => {
    for (const line of lines.values()) line.countAgain();
  });
  routes.onPlaceFreed((modelId) => {
    if (modelId === undefined) serveAll();
    else lines.get(pools.get(modelId) ?? modelId)?.serve();
  });

  return {
    async takeTurn(request, progress, wasAdmitted = false) {
      const { reason } = request.exchange.cancellation;
      if (reason !== undefined) throw refusals.cancelled(reason);
      const modelId = request.model.id;
      const capacity = routes.capacityOf(modelId);
      if (request.sequences > capacity) {
        announceLimits(request.share, modelId, request.exchange.reply);
        throw refusals.tooWide(modelId, request.sequences, capacity);
      }
      const began = options.limitsFor(request.share, modelId);
      const reserved = keeper.reserve(
        began,
        () => claimOf(request),
        (headers) => request.exchange.reply.announce(headers),
        wasAdmitted,
      );
      const kept = reserved instanceof Promise ? await reserved : reserved;
      const reservation: Pick<Reservation, 'settle'> = {
        settle(used) {
          kept.settle(used);
          keeper.spendLate(began, options.limitsFor(request.share, modelId), used.cost);
        },
      };
      try {
        return await turnFor(request, progress, reservation, wasAdmitted);
      } catch (refusal) {
        // It may be tried again in a moment, and has had nothing.
        if (refusal instanceof Refusal && refusal.code === 'engine_unavailable') kept.giveBack();
        else kept.settle(nothing);
        throw refusal;
      }
    },
    announceLimits,
    standing: (share, modelId) => keeper.standing(options.limitsFor(share, modelId)),
    beginSpending: keeper.begin,
    waiting: () => countBy(({ request }) => request.model.id),
    waitingByProject: () => countBy(({ share }) => share.projectId),
    demand() {
      const members = new Map<string, Set<string>>();
      const places = countBy(
        ({ request }) => request.model.id,
        ({ request, share }) => {
          const known = members.get(request.model.id) ?? new Set();
          members.set(request.model.id, known.add(share.memberId));
          return request.sequences;
        },
      );
      return new Map(
        [...places].map(([id, count]) => [id, { places: count, members: members.get(id)?.size ?? 0 }]),
      );
    },
    apply,
    stop: () => charging[Symbol.dispose](),
  };

  function announceLimits(share: LimitedShare, modelId: string, reply: Pick<Reply, 'announce'>): void {
    reply.announce(keeper.headers(options.limitsFor(share, modelId)));
  }

  async function turnFor(
    request: ParsedRequest,
    progress: WaitingProgress,
    reservation: Pick<Reservation, 'settle'>,
    wasAdmitted: boolean,
  ): Promise<Turn> {
    const line = lineOf(request.model.id);
    const enteredMs = clock.monotonicMs();
    const standing = line.takeNow(request);
    if (standing === 'unavailable') throw refusals.unavailable(request.model.id);
    if (standing !== 'busy') return begin(line, standing, 0);
    const granted = await wait(line, request, progress, wasAdmitted);
    return begin(granted.line, granted.standing, clock.monotonicMs() - enteredMs);

    function begin(of: FairLine, taken: Standing, waitMs: number): Turn {
      return new RunningTurn({ line: of, standing: taken, progress, waitMs, costs, running, reservation });
    }
  }

  /** What a request takes at most: its prompt, and as much answer as it allows. */
  function claimOf(request: ParsedRequest): Claim {
    const { inputTokens } = costs.estimate(request);
    const outputTokens = (request.maxOutputTokens ?? options.assumedOutputTokens) * request.sequences;
    const usage = { inputTokens, outputTokens, cachedTokens: 0 };
    return { tokens: inputTokens + outputTokens, cost: costs.costOf(request.model.id, usage) };
  }

  function wait(
    line: FairLine,
    request: ParsedRequest,
    progress: WaitingProgress,
    wasAdmitted: boolean,
  ): Promise<{ readonly line: FairLine; readonly standing: Standing }> {
    const { share } = request;
    const estimate = costs.estimate(request);
    const estimatedCost = costs.costOf(request.model.id, { ...estimate, cachedTokens: 0 });
    return new Promise((resolve, reject) => {
      const waiter = line.enter({
        request,
        share,
        queueName: queueOf(request),
        places: request.sequences,
        estimate,
        estimatedCost,
        mayBeHeld: routes.mayHold(request),
        hasBeenTold: wasAdmitted,
        bypassed: 0,
        grant(standing) {
          settle();
          resolve({ line: currentLine(), standing });
        },
        refuse(refusal) {
          settle();
          reject(refusal);
        },
      });
      const currentLine = () => lineOf(request.model.id);
      progress.place = () => {
        const place = currentLine().placeOf(waiter);
        waiter.hasBeenTold ||= place !== undefined;
        return place;
      };
      // Whoever has been told a place keeps it: from then on a refusal could only be an error inside an answer.
      const tooLong = timers.after(limits.maxWaitMs, () => {
        if (waiter.hasBeenTold || !currentLine().leave(waiter)) return;
        waiter.refuse(refusals.tooLong(request.model.id, limits.maxWaitMs, currentLine().secondsToWait()));
      });
      const forget = request.exchange.cancellation.onCancel((reason) => {
        if (currentLine().leave(waiter)) waiter.refuse(refusals.cancelled(reason));
      });
      line.serve();

      function settle(): void {
        tooLong[Symbol.dispose]();
        forget();
        progress.place = undefined;
      }
    });
  }

  function queueOf({ model, sequences }: ParsedRequest): string {
    return queueNameOf(crews.get(model.id) ?? model.id, sequences);
  }

  function lineOf(modelId: string): FairLine {
    const pool = pools.get(modelId) ?? modelId;
    let line = lines.get(pool);
    if (line === undefined) {
      line = new FairLine({ ...options, name: pool, costs, refusals });
      lines.set(pool, line);
    }
    return line;
  }

  function* everyCrowd(): Iterable<Crowd> {
    for (const line of lines.values()) yield* line.crowds();
  }

  function serveAll(): void {
    for (const line of lines.values()) if (line.size > 0) line.serve();
  }

  function countBy(
    nameOf: (waiter: LineWaiter) => string,
    amountOf: (waiter: LineWaiter) => number = () => 1,
  ): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const line of lines.values())
      for (const waiter of line.waiters())
        counts.set(nameOf(waiter), (counts.get(nameOf(waiter)) ?? 0) + amountOf(waiter));
    return counts;
  }

  /** Where the pools change, everybody who waits goes over in the order of arrival; running turns end in their old line. */
  function apply(catalogue: Catalogue): void {
    weights = new Map(catalogue.models.map(({ id, costWeight }) => [id, costWeight]));
    const [nextPools, nextCrews] = [poolsOf(catalogue), crewsOf(catalogue)];
    const isSame = isDeepStrictEqual([nextPools, nextCrews], [pools, crews]);
    [pools, crews] = [nextPools, nextCrews];
    if (isSame) return;
    const waiters = [...lines.values()].flatMap((line) => [...line.waiters()]);
    for (const line of lines.values()) for (const waiter of line.waiters()) line.leave(waiter);
    lines = new Map();
    for (const waiter of waiters.sort((a, b) => a.arrival - b.arrival)) {
      waiter.queueName = queueOf(waiter.request);
      lineOf(waiter.request.model.id).enterAgain(waiter);
    }
    serveAll();
  }
}

export { createProjectDesk } from './project-desk.ts';
export { createProjectDirectory, type LiveProjectDirectory } from './project-directory.ts';
export { shareConsumption } from './consumption-topic.ts';
export { noCrowdElsewhere, shareCrowds } from './crowd-topic.ts';
export { createLimitKeeper } from './limit-keeper.ts';
export { loadSpending } from './spending.ts';
