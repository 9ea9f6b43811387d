import type { LaneName, Share } from '#vocabulary/sharing';
import {
  isBefore,
  type Lane,
  type MemberFlow,
  type MemberNode,
  newLane,
  newProjectNode,
  newQueue,
  type ProjectFlow,
  type ProjectNode,
  type Queue,
  type Waiter,
} from './flows.ts';
import { WaiterQueue } from './waiter-queue.ts';

/** What the line knows about places and the order does not. */
export interface Choice<W extends Waiter> {
  isOpen(queueName: string): boolean;
  /** Whether this member may take one of the places that are free now. */
  mayTake(member: MemberFlow<W>): boolean;
  /** What a turn would save now (a prompt that an engine still holds): the larger, the better. */
  savings(waiter: W): number;
  /** Savings decide only between members whose counters are this close. */
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
 * idle time earns no credit, and debts are kept. One order per pool of engines.
 *
 * Holds the requests that the line lets in. Members with neither work nor debt are forgotten at once.
 */
export class FairOrder<W extends Waiter> {
  readonly #lanes: Record<LaneName, Lane<W>>;
  readonly #queues = new Map<string, Queue<W>>();
  #time = 0;
  #size = 0;

  /** `backgroundShare`: what background work gets while interactive work wants everything; below 1. */
  constructor(backgroundShare: number) {
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
      const { memberId } = share;
      member = {
        memberId,
        project,
        spent: project.time,
        waiting: 0,
        running: 0,
        isHeld: false,
        nodes: new Map(),
      };
      project.members.set(memberId, member);
    }
    return member;
  }

  enter(waiter: W): MemberFlow<W> {
    const member = this.memberOf(waiter.share);
    const { project } = member;
    const { lane } = project;
    if (lane.waiting === 0) lane.spent = Math.max(lane.spent, this.#time);
    if (project.waiting === 0) project.spent = Math.max(project.spent, lane.time);
    if (member.waiting === 0) member.spent = Math.max(member.spent, project.time);
    this.#count(member, 1);
    const node = this.#memberNode(member, waiter.queueName);
    node.waiters.push(waiter);
    if (!member.isHeld) stand(node);
    return member;
  }

  /** For one who gives up, or whose turn it is. False when it does not stand here. */
  leave(waiter: W): boolean {
    const { lane, projectId, memberId } = waiter.share;
    const member = this.#lanes[lane].projects.get(projectId)?.members.get(memberId);
    const node = member?.nodes.get(waiter.queueName);
    if (member === undefined || node === undefined || !node.waiters.remove(waiter)) return false;
    this.#count(member, -1);
    if (node.waiters.size > 0) {
      node.parent.members.moved(node);
      return true;
    }
    stepOut(node);
    member.nodes.delete(waiter.queueName);
    forget(member);
    return true;
  }

  /** The next of those who may take a place that is free now. */
  next(choice: Choice<W>): W | undefined {
    const open = [...this.#queues.values()].filter(({ name }) => choice.isOpen(name));
    const lanes = laneNames.filter((name) => open.some((queue) => queue.projects[name].size > 0));
    for (const lane of lanes.map((name) => this.#lanes[name]).sort(bySpent)) {
      const projects = new Set(
        open.flatMap((queue) => queue.projects[lane.name].near(maxCompared).map(({ project }) => project)),
      );
      for (const project of [...projects].sort(bySpent)) {
        const chosen = choose(
          open.flatMap(({ name }) => project.nodes.get(name)?.members.near(maxCompared) ?? []),
          choice,
        );
        if (chosen !== undefined) return chosen;
      }
    }
    return undefined;
  }

  /** A turn begins: the time of each level moves to where the chosen one stands. */
  begin(member: MemberFlow<W>, places: number): void {
    const { project } = member;
    this.#time = Math.max(this.#time, project.lane.spent);
    project.lane.time = Math.max(project.lane.time, project.spent);
    project.time = Math.max(project.time, member.spent);
    member.running += places;
  }

  end(member: MemberFlow<W>, places: number): void {
    member.running -= places;
    forget(member);
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
    forget(member);
  }

  *members(): Iterable<MemberFlow<W>> {
    for (const name of laneNames)
      for (const project of this.#lanes[name].projects.values()) yield* project.members.values();
  }

  #projectOf({ lane: laneName, projectId, projectWeight }: Share): ProjectFlow<W> {
    const lane = this.#lanes[laneName];
    let project = lane.projects.get(projectId);
    if (project === undefined) {
      const counters = { spent: lane.time, time: 0, waiting: 0 };
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
      node = { member, parent, waiters: new WaiterQueue(), place: -1 };
      member.nodes.set(queueName, node);
    }
    return node;
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

  #count(member: MemberFlow<W>, change: 1 | -1): void {
    this.#size += change;
    member.waiting += change;
    member.project.waiting += change;
    member.project.lane.waiting += change;
  }
}

function bySpent(a: { readonly spent: number }, b: { readonly spent: number }): number {
  return a.spent - b.spent;
}

/** Whoever has spent the least; among those nearly as far behind, whoever saves the most. */
function choose<W extends Waiter>(nodes: readonly MemberNode<W>[], choice: Choice<W>): W | undefined {
  const able = nodes.filter(({ member }) => choice.mayTake(member));
  let least: MemberNode<W> | undefined;
  for (const node of able) if (least === undefined || isBefore(node, least)) least = node;
  if (least === undefined) return undefined;
  let best = least.waiters.first;
  let bestSavings = best === undefined ? 0 : choice.savings(best);
  for (const { member, waiters } of able) {
    const candidate = waiters.first;
    if (candidate === undefined || member.spent > least.member.spent + choice.quantum) continue;
    const savings = choice.savings(candidate);
    if (savings > bestSavings) [best, bestSavings] = [candidate, savings];
  }
  return best;
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

/** Whoever has no work here and is not ahead of the others has nothing to be remembered for. */
function forget<W extends Waiter>(member: MemberFlow<W>): void {
  if (member.waiting > 0 || member.running > 0) return;
  const { project } = member;
  if (member.spent <= project.time) project.members.delete(member.memberId);
  if (project.members.size === 0 && project.spent <= project.lane.time)
    project.lane.projects.delete(project.id);
}

function forgetIdle<W extends Waiter>(project: ProjectFlow<W>): void {
  for (const member of project.members.values())
    if (member.waiting === 0 && member.running === 0) project.members.delete(member.memberId);
}
