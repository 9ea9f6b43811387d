import type { Clock } from '#vocabulary/clock';
import type { ParsedRequest, Route } from '#vocabulary/inference';
import type { Refusal } from '#vocabulary/refusal';
import type { ConsumptionNews, LinePlace, Share } from '#vocabulary/sharing';
import type { CostModel, Estimate } from './cost.ts';
import type { Crowd, CrowdNews } from './crowd-topic.ts';
import { type Choice, FairOrder } from './fair-order.ts';
import type { Holder, MemberFlow, MemberNode } from './flows.ts';
import { createLineForecast, type LineForecast } from './line-forecast.ts';
import { createPoolPace, type PoolPace } from './pool-pace.ts';
import type { LineRefusals } from './line-refusals.ts';
import { RecentVisitors } from './recent-visitors.ts';

/** Where routes come from; what the line needs to know of engines. */
export interface RouteSource {
  /** Places at one engine now, or why there are none. Some places may be left free for `expected` others. */
  takeRoute(request: ParsedRequest, expected: number): Route | 'busy' | 'unavailable';
  /** Also true when no engine is fit: asking for a route then tells so. */
  hasRoom(modelId: string): boolean;
  /** The most places that one engine of this model has. */
  capacityOf(modelId: string): number;
  /** Frees places at one engine for a request that needs several, until it has taken them or gone. */
  claim(request: ParsedRequest): void;
  unclaim(request: ParsedRequest): void;
  /** The engine that has read most of the beginning of this prompt lately, with room or without. */
  holderOf(request: ParsedRequest): Holder | undefined;
  /** Whether any engine of its model, with room or without, has read something of this prompt lately. */
  mayHold(request: ParsedRequest): boolean;
  /** Told for which model there may be room, or nothing when it may be any. */
  onPlaceFreed(listener: (modelId?: string) => void): void;
  recoverySeconds(modelId: string): number;
}

export interface LineLimits {
  /** Requests waiting in one pool; then the newest of whoever holds most of the line has to go. */
  readonly maxWaiting: number;
  readonly maxWaitingPerMember: number;
  readonly maxRunningPerMember: number;
  readonly maxWaitMs: number;
}

/** Somebody who has stood in the line, until their turn is over. */
export interface Standing {
  readonly route: Route;
  readonly member: MemberFlow<LineWaiter>;
  readonly estimate: Estimate;
  /** What the turn is charged with so far. */
  charged: number;
}

export interface LineWaiter {
  readonly request: ParsedRequest;
  readonly share: Share;
  /** Another when the engines of its model change. */
  queueName: string;
  readonly places: number;
  readonly arrival: number;
  readonly estimate: Estimate;
  readonly estimatedCost: number;
  readonly mayBeHeld: boolean;
  /** Where it stands, while it does. */
  node: MemberNode<LineWaiter> | undefined;
  /** Whoever was told a place, or admitted by a gateway that died, keeps it. */
  hasBeenTold: boolean;
  bypassed: number;
  grant(standing: Standing): void;
  refuse(refusal: Refusal): void;
}

/** Cost by which somebody for whom nothing runs may be ahead of those who wait: a few short questions. */
const headStart = 4096;
/** After so many others went first, an engine is emptied for a request that needs several places. */
const maxBypassed = 16;

/** The line of one pool: engines that can serve the same work. */
export class FairLine {
  readonly #options: FairLineOptions;
  readonly #order: FairOrder<LineWaiter>;
  readonly #pace: PoolPace;
  readonly #forecast: LineForecast<LineWaiter>;
  /** Those who are expected back: a place or two are kept free for them, so that a flood does not make them wait. */
  readonly #recent: RecentVisitors<string>;
  readonly #choice: Choice<LineWaiter>;
  /** Queues of which the first found no place, while places are given out. */
  readonly #closed = new Set<string>();
  /** For whom an engine is being emptied; at most one at a time. */
  #claimant: LineWaiter | undefined;
  #arrivals = 0;
  #waitingCost = 0;

  constructor(options: FairLineOptions) {
    this.#options = options;
    this.#order = new FairOrder(options.backgroundShare, headStart);
    this.#pace = createPoolPace(options.clock);
    this.#recent = new RecentVisitors(options.clock);
    const { routes, quantum } = options;
    this.#choice = {
      isOpen: (queueName) => !this.#closed.has(queueName) && routes.hasRoom(modelOf(queueName)),
      holderOf: ({ request }) => routes.holderOf(request),
      quantum,
    };
    this.#forecast = createLineForecast(this.#order, this.#pace, options.clock);
  }

  get size(): number {
    return this.#order.size;
  }

  *waiters(): Iterable<LineWaiter> {
    for (const member of this.#order.members())
      for (const node of member.nodes.values()) yield* node.waiters.all();
  }

  placeOf(waiter: LineWaiter): LinePlace | undefined {
    return this.#forecast.placeOf(waiter);
  }

  /** A turn at once, when nobody waits and there is room. */
  takeNow(request: ParsedRequest): Standing | 'busy' | 'unavailable' {
    if (this.#order.size > 0) return 'busy';
    const member = this.#order.memberOf(request.share);
    if (!this.#mayRun(member)) return 'busy';
    const route = this.#options.routes.takeRoute(request, this.#expectedBeside(member));
    if (route === 'busy' || route === 'unavailable') return route;
    this.#order.pass(member);
    this.#order.begin(member, request.sequences);
    return this.#stand(route, member, this.#options.costs.estimate(request));
  }

  enter(waiter: Omit<LineWaiter, 'arrival' | 'node'>): LineWaiter {
    if (!waiter.hasBeenTold) this.#makeRoom(waiter.share);
    const standing: LineWaiter = { ...waiter, arrival: this.#arrivals++, node: undefined };
    this.enterAgain(standing);
    return standing;
  }

  /** One who has stood in another line before. */
  enterAgain(waiter: LineWaiter): void {
    if (this.#order.size === 0) this.#pace.busy(true);
    waiter.node = this.#order.enter(waiter);
    const { member } = waiter.node;
    this.#order.hold(member, !this.#mayRun(member));
    this.#recent.came(member.fullName);
    this.#waitingCost += waiter.estimatedCost;
  }

  /** False when it does not stand here any more. */
  leave(waiter: LineWaiter): boolean {
    if (!this.#order.leave(waiter, waiter.node)) return false;
    waiter.node = undefined;
    if (waiter === this.#claimant) {
      this.#claimant = undefined;
      this.#options.routes.unclaim(waiter.request);
    }
    this.#waitingCost = this.#order.size === 0 ? 0 : this.#waitingCost - waiter.estimatedCost;
    if (this.#order.size === 0) this.#pace.busy(false);
    return true;
  }

  /** Gives out what is free: to the one for whom an engine was emptied, then in the order of all. */
  serve(): void {
    if (this.#claimant !== undefined) this.#serveOne(this.#claimant);
    this.#closed.clear();
    while (this.#order.size > 0) {
      const waiter = this.#order.next(this.#choice);
      if (waiter === undefined) return;
      if (!this.#serveOne(waiter)) this.#closed.add(waiter.queueName);
    }
  }

  #serveOne(waiter: LineWaiter): boolean {
    const member = waiter.node?.member ?? this.#order.memberOf(waiter.share);
    const route = this.#options.routes.takeRoute(waiter.request, this.#expectedBeside(member));
    if (route === 'busy') {
      this.#passOver(waiter);
      return false;
    }
    if (route === 'unavailable') {
      this.leave(waiter);
      waiter.refuse(this.#options.refusals.unavailable(waiter.request.model.id));
      return true;
    }
    // Begun before it leaves: a member without anything here would be forgotten.
    this.#order.begin(member, waiter.places);
    this.leave(waiter);
    waiter.grant(this.#stand(route, member, waiter.estimate));
    return true;
  }

  /** For how many others a place is to be left; whoever has nothing running may take the last one. */
  #expectedBeside({ running, project }: MemberFlow<LineWaiter>): number {
    return running === 0 && project.lane.name === 'interactive' ? 0 : this.#recent.count;
  }

  charge(standing: Standing, cost: number): void {
    standing.charged += cost;
    this.#order.charge(standing.member, cost);
    this.#pace.worked(cost);
    const { model, share } = standing.route.request;
    this.#options.news.charged(model.id, share, cost);
  }

  /** Another gateway has served this member. */
  chargeElsewhere(share: Share, cost: number): void {
    const member = this.#order.memberOf(share);
    this.#order.charge(member, cost);
    this.#order.end(member, 0);
  }

  /** The places are given back last: whoever gets them then is chosen with all of this known. */
  end({ member, route }: Standing): void {
    this.#order.end(member, route.request.sequences);
    this.#order.hold(member, !this.#mayRun(member));
    if (member.running === 0 && member.waiting === 0 && member.project.lane.name === 'interactive')
      this.#recent.left(member.fullName);
    route[Symbol.dispose]();
  }

  /** What every member has here. */
  *crowds(): Iterable<Crowd> {
    for (const member of this.#order.members())
      if (member.waiting > 0 || member.running > 0) yield this.#crowdOf(member);
  }

  /** Others may have given up, or taken, what members may have running everywhere. */
  countAgain(): void {
    for (const member of this.#order.members())
      if (member.waiting > 0) this.#order.hold(member, !this.#mayRun(member));
    if (this.#order.size > 0) this.serve();
  }

  #mayRun(member: MemberFlow<LineWaiter>): boolean {
    const { limits, crowds } = this.#options;
    const most = limits.maxRunningPerMember;
    return member.running < most && (!crowds.hasOthers || crowds.mayRun(this.#crowdOf(member), most));
  }

  #crowdOf({ fullName, project, waiting, running }: MemberFlow<LineWaiter>): Crowd {
    return { name: `${this.#options.name} ${project.lane.name} ${fullName}`, waiting, running };
  }

  /** Seconds until somebody who comes now at the end of the line would be served. */
  secondsToWait(): number {
    return this.#forecast.secondsFor(this.#waitingCost);
  }

  #stand(route: Route, member: MemberFlow<LineWaiter>, estimate: Estimate): Standing {
    const standing: Standing = { route, member, estimate, charged: 0 };
    this.#recent.came(member.fullName);
    const cost = this.#options.costs.costOf(route.request.model.id, { ...estimate, cachedTokens: 0 });
    this.charge(standing, cost);
    this.#order.hold(member, !this.#mayRun(member));
    return standing;
  }

  #passOver(waiter: LineWaiter): void {
    if (waiter.request.sequences === 1) return;
    waiter.bypassed++;
    if (waiter.bypassed <= maxBypassed || (this.#claimant ?? waiter) !== waiter) return;
    this.#claimant = waiter;
    this.#options.routes.claim(waiter.request);
  }

  /** The newest request of the member who holds most of a full line has to go, whoever comes. */
  #makeRoom(share: Share): void {
    const { limits, refusals, crowds } = this.#options;
    const member = this.#order.memberOf(share);
    const elsewhere = crowds.hasOthers ? crowds.waitingElsewhere(this.#crowdOf(member).name) : 0;
    const waiting = member.waiting + elsewhere;
    if (waiting >= limits.maxWaitingPerMember) throw refusals.tooManyOfOne(waiting, this.secondsToWait());
    if (this.#order.size < limits.maxWaiting) return;
    const seconds = this.secondsToWait();
    const newest = this.#newestOfTheGreediest(member);
    if (newest === undefined) throw refusals.full(this.#order.size, seconds);
    this.leave(newest);
    newest.refuse(refusals.full(this.#order.size + 1, seconds));
  }

  #newestOfTheGreediest(newcomer: MemberFlow<LineWaiter>): LineWaiter | undefined {
    const { greediest } = this.#order;
    if (greediest === undefined || greediest.waiting <= newcomer.waiting + 1) return undefined;
    let newest: LineWaiter | undefined;
    for (const { waiters } of greediest.nodes.values()) {
      const candidate = waiters.newest(({ hasBeenTold }) => !hasBeenTold);
      if (candidate !== undefined && candidate.arrival > (newest?.arrival ?? -1)) newest = candidate;
    }
    return newest;
  }
}

/** Those who need one place, and apart from them those who need several, for each set of engines. */
export function queueNameOf(crew: string, places: number): string {
  return places === 1 ? crew : crew + wideMark;
}

/** The first of the models that these engines serve. */
function modelOf(queueName: string): string {
  return queueName.endsWith(wideMark) ? queueName.slice(0, -wideMark.length) : queueName;
}

/** No model id holds a blank. */
const wideMark = ' wide';

export interface FairLineOptions {
  /** By which the gateways know it. */
  readonly name: string;
  readonly routes: RouteSource;
  readonly costs: CostModel;
  readonly limits: LineLimits;
  readonly backgroundShare: number;
  readonly quantum: number;
  readonly refusals: LineRefusals;
  readonly news: ConsumptionNews;
  readonly crowds: CrowdNews;
  readonly clock: Clock;
}
