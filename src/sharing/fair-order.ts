import { IndexedHeap } from '#vocabulary/indexed-heap';
import type { LaneName, Share } from '#vocabulary/sharing';
import {
  isBefore,
  type Holder,
  type Lane,
  type MemberFlow,
  type MemberNode,
  newLane,
  newProjectNode,
  newQueue,
  type PromptNote,
  type ProjectFlow,
  type ProjectNode,
  type Queue,
  type Waiter,
} from './flows.ts';
import { WaiterQueue } from './waiter-queue.ts';

/** What the line knows about places and the order does not. */
export interface Choice<W extends Waiter> {
  isOpen(queueName: string): boolean;
  /** An engine that may still hold something of its prompt, with room or without: the more is held, the better. */
  holderOf(waiter: W): Holder | undefined;
  /** What is held decides only between members whose counters are this close. */
  readonly quantum: number;
}

/** Members of a project without work here who are remembered for what they have spent. */
const maxIdleMembers = 20_000;
const maxCompared = 16;
const laneNames: readonly LaneName[] = ['interactive', 'background'];

/**
 * Whose turn is it? Hierarchical start-time fair queueing over cost: between interactive and background work, then
 * between projects, then between the members of a project, then by arrival. Each level counts what was spent over
 * its weight; the smallest counter is next. Whoever comes back from idling is lifted to where the others are now:
 * idle time earns nothing but a small head start, so that an occasional question goes before a flood, and debts are
 * kept. One order per pool of engines.
 *
 * Holds the requests that the line lets in. Members with neither work nor debt are forgotten at once.
 */
export class FairOrder<W extends Waiter> {
  readonly #lanes: Record<LaneName, Lane<W>>;
  readonly #queues = new Map<string, Queue<W>>();
  /** By salt; as many as there are members who wait. */
  readonly #prompts = new Map<string, PromptNote>();
  /** Everybody who waits, whoever has the most requests in the line on top. */
  readonly #crowd = new IndexedHeap<MemberFlow<W>>(({ waiting }) => -waiting);
  readonly #headStart: number;
  #time = 0;
  #size = 0;

  /**
   * `backgroundShare`: what background work gets while interactive work wants everything; below 1. `headStart`: cost
   * by which somebody who has had less than others may be ahead of those who wait.
   */
  constructor(backgroundShare: number, headStart = 0) {
    this.#headStart = headStart;
    this.#lanes = {
      interactive: newLane('interactive', 1 - backgroundShare),
      background: newLane('background', backgroundShare),
    };
  }

  get size(): number {
    return this.#size;
  }

  /** Made when first asked for. */
  memberOf(share: Share): MemberFlow<W> {
    const project = this.#projectOf(share);
    let member = project.members.get(share.memberId);
    if (member === undefined) {
      if (project.members.size >= maxIdleMembers) forgetIdle(project);
      const { memberId, cacheSalt } = share;
      member = {
        memberId,
        fullName: `${project.id} ${memberId}`,
        project,
        cacheSalt,
        spent: project.time - this.#headStart,
        waiting: 0,
        running: 0,
        isHeld: false,
        nodes: new Map(),
        place: -1,
      };
      project.members.set(memberId, member);
    }
    member.cacheSalt = share.cacheSalt;
    return member;
  }

  enter(waiter: W): MemberNode<W> {
    const member = this.memberOf(waiter.share);
    const node = this.#memberNode(member, waiter.queueName);
    this.#lift(member, node.parent);
    this.#count(member, 1);
    if (node.waiters.size === 0) node.since = waiter.arrival;
    node.waiters.push(waiter);
    if (waiter.mayBeHeld) node.prompts.readings++;
    if (!member.isHeld) stand(node);
    return node;
  }

  /** For one who need not wait. */
  pass(member: MemberFlow<W>): void {
    this.#lift(member, undefined);
  }

  /** For one who gives up, or whose turn it is. False when it does not stand here. */
  leave(waiter: W, node: MemberNode<W> | undefined): boolean {
    if (node === undefined || !node.waiters.remove(waiter)) return false;
    const { member } = node;
    this.#count(member, -1);
    if (node.waiters.size > 0) {
      node.since = node.waiters.first?.arrival ?? 0;
      node.holder = undefined;
      node.lookedAfter = 0;
      node.parent.members.moved(node);
      return true;
    }
    stepOut(node);
    member.nodes.delete(waiter.queueName);
    node.prompts.nodes--;
    if (node.prompts.nodes === 0) this.#prompts.delete(node.cacheSalt);
    this.#forget(member);
    return true;
  }

  /** The next of those for whom a place is free now. */
  next(choice: Choice<W>): W | undefined {
    const open: Queue<W>[] = [];
    for (const queue of this.#queues.values()) if (choice.isOpen(queue.name)) open.push(queue);
    let lane: Lane<W> | undefined;
    for (const name of laneNames) {
      const candidate = this.#lanes[name];
      if (lane !== undefined && candidate.spent >= lane.spent) continue;
      if (open.some((queue) => queue.projects[name].size > 0)) lane = candidate;
    }
    if (lane === undefined) return undefined;
    let project: ProjectFlow<W> | undefined;
    for (const queue of open) {
      const candidate = queue.projects[lane.name].top?.project;
      if (candidate !== undefined && (project === undefined || candidate.spent < project.spent))
        project = candidate;
    }
    const heaps: IndexedHeap<MemberNode<W>>[] = [];
    for (const { name } of open) {
      const members = project?.nodes.get(name)?.members;
      if (members !== undefined && members.size > 0) heaps.push(members);
    }
    return choose(heaps, Math.ceil(maxCompared / open.length), choice);
  }

  /** Whoever has the most requests in the line. */
  get greediest(): MemberFlow<W> | undefined {
    return this.#crowd.top;
  }

  /** A turn begins: the time of each level moves to where the chosen one stands, and never back. */
  begin(member: MemberFlow<W>, places: number): void {
    const { project } = member;
    this.#time = Math.max(this.#time, project.lane.spent);
    project.lane.time = Math.max(project.lane.time, project.spent);
    project.time = Math.max(project.time, member.spent);
    member.running += places;
    // An engine reads a prompt of theirs now.
    const prompts = this.#prompts.get(member.cacheSalt);
    if (prompts !== undefined) prompts.readings++;
  }

  end(member: MemberFlow<W>, places: number): void {
    member.running -= places;
    this.#forget(member);
  }

  /** Negative when less was used than had been charged. */
  charge(member: MemberFlow<W>, cost: number): void {
    const { project } = member;
    member.spent += cost;
    project.spent += cost / project.weight;
    project.lane.spent += cost / project.lane.weight;
    for (const node of member.nodes.values()) node.parent.members.moved(node);
    for (const node of project.nodes.values()) node.queue.projects[project.lane.name].moved(node);
  }

  hold(member: MemberFlow<W>, isHeld: boolean): void {
    if (member.isHeld === isHeld) return;
    member.isHeld = isHeld;
    for (const node of member.nodes.values()) {
      if (isHeld) stepOut(node);
      else stand(node);
    }
    this.#forget(member);
  }

  *members(): Iterable<MemberFlow<W>> {
    for (const name of laneNames)
      for (const project of this.#lanes[name].projects.values()) yield* project.members.values();
  }

  #projectOf({ lane: laneName, projectId, projectWeight }: Share): ProjectFlow<W> {
    const lane = this.#lanes[laneName];
    let project = lane.projects.get(projectId);
    if (project === undefined) {
      const counters = { spent: lane.time - this.#headStart / projectWeight, time: 0, waiting: 0 };
      project = {
        id: projectId,
        lane,
        weight: projectWeight,
        ...counters,
        members: new Map(),
        nodes: new Map(),
      };
      lane.projects.set(projectId, project);
    }
    project.weight = projectWeight;
    return project;
  }

  #memberNode(member: MemberFlow<W>, queueName: string): MemberNode<W> {
    let node = member.nodes.get(queueName);
    if (node === undefined) {
      const parent = this.#projectNode(member.project, queueName);
      const { cacheSalt } = member;
      const prompts = this.#promptsOf(cacheSalt);
      const waiters = new WaiterQueue<W>();
      const found = { holder: undefined, lookedAfter: 0 };
      node = { member, parent, cacheSalt, prompts, waiters, since: 0, ...found, place: -1 };
      prompts.nodes++;
      member.nodes.set(queueName, node);
    }
    return node;
  }

  #promptsOf(cacheSalt: string): PromptNote {
    let prompts = this.#prompts.get(cacheSalt);
    if (prompts === undefined) {
      prompts = { readings: 0, nodes: 0 };
      this.#prompts.set(cacheSalt, prompts);
    }
    return prompts;
  }

  #projectNode(project: ProjectFlow<W>, queueName: string): ProjectNode<W> {
    let node = project.nodes.get(queueName);
    if (node === undefined) {
      const queue = this.#queues.get(queueName) ?? newQueue<W>(queueName);
      this.#queues.set(queueName, queue);
      node = newProjectNode(project, queue);
      project.nodes.set(queueName, node);
    }
    return node;
  }

  /**
   * To a head start before where the last turn began, or to the least of those who wait for the same places, if that is
   * less: of several who come at once each would else be a head start before the one who came before. A member keeps
   * the head start while something of theirs runs: questions that need not wait would take it from them, and questions
   * that have to would not.
   */
  #lift(member: MemberFlow<W>, node: ProjectNode<W> | undefined): void {
    const { project } = member;
    const { lane } = project;
    const projectHeadStart = member.running === 0 ? this.#headStart / project.weight : 0;
    if (lane.waiting === 0) lane.spent = Math.max(lane.spent, this.#time);
    if (project.waiting === 0) {
      const least = node?.queue.projects[lane.name].top?.project.spent ?? Infinity;
      project.spent = Math.max(project.spent, Math.min(lane.time - projectHeadStart, least));
    }
    if (member.waiting === 0) {
      const least = node?.members.top?.member.spent ?? Infinity;
      member.spent = Math.max(member.spent, Math.min(project.time - this.#headStart, least));
    }
  }

  /** Whoever has no work here and would come back with as much has nothing to be remembered for. */
  #forget(member: MemberFlow<W>): void {
    if (member.waiting > 0 || member.running > 0) return;
    const { project } = member;
    const { lane } = project;
    if (member.spent <= project.time - this.#headStart) project.members.delete(member.memberId);
    if (project.members.size === 0 && project.spent <= lane.time - this.#headStart / project.weight)
      lane.projects.delete(project.id);
  }

  #count(member: MemberFlow<W>, change: 1 | -1): void {
    this.#size += change;
    member.waiting += change;
    member.project.waiting += change;
    member.project.lane.waiting += change;
    if (member.waiting === 0) this.#crowd.remove(member);
    else if (member.place < 0) this.#crowd.add(member);
    else this.#crowd.moved(member);
  }
}

/**
 * Whoever has spent the least; among those nearly as far behind, whoever saves the most. One for whom nothing runs is
 * not overtaken by one for whom something does.
 */
function choose<W extends Waiter>(
  heaps: readonly IndexedHeap<MemberNode<W>>[],
  fromEach: number,
  choice: Choice<W>,
): W | undefined {
  let least: MemberNode<W> | undefined;
  for (const { top } of heaps) if (top !== undefined && (!least || isBefore(top, least))) least = top;
  if (least === undefined) return undefined;
  // Whoever is next anyway and saves something need not be compared.
  if (heldBytes(least, choice) > 0) return least.waiters.first;
  let best = least;
  let mostBytes = 0;
  const furthest = least.member.spent + choice.quantum;
  for (const heap of heaps)
    for (let place = 0; place < fromEach; place++) {
      const node = heap.at(place);
      if (node === undefined) break;
      if (heap.rankAt(place) > furthest) continue;
      const bytes = heldBytes(node, choice);
      if (bytes <= mostBytes || (least.member.running === 0 && node.member.running > 0)) continue;
      [best, mostBytes] = [node, bytes];
    }
  return best.waiters.first;
}

/**
 * How much of the first prompt an engine with room probably still holds. Who has read it stays the same until one reads
 * something for somebody with the same salt.
 */
function heldBytes<W extends Waiter>(node: MemberNode<W>, choice: Choice<W>): number {
  const { prompts, waiters } = node;
  if (node.lookedAfter !== prompts.readings && waiters.first !== undefined) {
    node.holder = choice.holderOf(waiters.first);
    node.lookedAfter = prompts.readings;
  }
  for (let { holder } = node; holder !== undefined; holder = holder.next)
    if (holder.station.free > 0 && holder.station.free >= (waiters.first?.places ?? 1)) return holder.bytes;
  return 0;
}

function stand<W extends Waiter>(node: MemberNode<W>): void {
  const { parent } = node;
  parent.members.add(node);
  parent.queue.projects[parent.project.lane.name].add(parent);
}

function stepOut<W extends Waiter>(node: MemberNode<W>): void {
  const { parent } = node;
  parent.members.remove(node);
  if (parent.members.size === 0) parent.queue.projects[parent.project.lane.name].remove(parent);
}

function forgetIdle<W extends Waiter>(project: ProjectFlow<W>): void {
  for (const member of project.members.values())
    if (member.waiting === 0 && member.running === 0) project.members.delete(member.memberId);
}
