import { type HeapNode, IndexedHeap } from '#vocabulary/indexed-heap';
import type { LaneName, Share } from '#vocabulary/sharing';
import type { WaiterQueue } from './waiter-queue.ts';

/** Somebody in the line. */
export interface Waiter {
  readonly share: Share;
  /** Names what could serve it: waiters of one queue can take the same places. */
  readonly queueName: string;
  /** Counts up; the tie-breaker. */
  readonly arrival: number;
  /** Whether an engine has read something of this prompt already, when it came. */
  readonly mayBeHeld: boolean;
  /** That it needs at one engine. */
  readonly places: number;
}

/** An engine that has read so much of the beginning of a prompt and may still hold it, and the next best of them. */
export interface Holder {
  readonly bytes: number;
  readonly station: { readonly free: number };
  readonly next: Holder | undefined;
}

/** Interactive or background work of a pool. `spent` ranks it; `time` is where its projects stand now. */
export interface Lane<W extends Waiter> {
  readonly name: LaneName;
  readonly weight: number;
  spent: number;
  time: number;
  waiting: number;
  readonly projects: Map<string, ProjectFlow<W>>;
}

export interface ProjectFlow<W extends Waiter> {
  readonly id: string;
  readonly lane: Lane<W>;
  weight: number;
  spent: number;
  time: number;
  waiting: number;
  readonly members: Map<string, MemberFlow<W>>;
  /** By queue. */
  readonly nodes: Map<string, ProjectNode<W>>;
}

/** A member in one pool and lane. Its place is that among all members by how many of their requests wait. */
export interface MemberFlow<W extends Waiter> extends HeapNode {
  readonly memberId: string;
  /** With its project: stays the same when the member is forgotten and comes back. */
  readonly fullName: string;
  readonly project: ProjectFlow<W>;
  /** Of whoever asked last: it changes when a project begins to share prompts. */
  cacheSalt: string;
  spent: number;
  waiting: number;
  /** Places taken. */
  running: number;
  /** While set, the member's requests keep their places but are not chosen. */
  isHeld: boolean;
  /** By queue. */
  readonly nodes: Map<string, MemberNode<W>>;
}

export interface Queue<W extends Waiter> {
  readonly name: string;
  readonly projects: Record<LaneName, IndexedHeap<ProjectNode<W>>>;
}

/** A project in one queue. */
export interface ProjectNode<W extends Waiter> extends HeapNode {
  readonly project: ProjectFlow<W>;
  readonly queue: Queue<W>;
  readonly members: IndexedHeap<MemberNode<W>>;
}

/** A member in one queue. */
export interface MemberNode<W extends Waiter> extends HeapNode {
  readonly member: MemberFlow<W>;
  readonly parent: ProjectNode<W>;
  readonly cacheSalt: string;
  readonly prompts: PromptNote;
  readonly waiters: WaiterQueue<W>;
  /** The arrival of the first of them. */
  since: number;
  /** Who holds the prompt of the first of them, as was found after so many readings. */
  holder: Holder | undefined;
  lookedAfter: number;
}

/**
 * What engines have read of the prompts of those who share a salt. Kept beside them, because most prompts are new to
 * every engine, and to find that out anew for each of those who might be next is much of a choice's work.
 */
export interface PromptNote {
  /** How often there was a reason to look again: nobody looks twice for the same. */
  readings: number;
  /** Nodes that have this note. */
  nodes: number;
}

export function newLane<W extends Waiter>(name: LaneName, weight: number): Lane<W> {
  return { name, weight, spent: 0, time: 0, waiting: 0, projects: new Map() };
}

export function newQueue<W extends Waiter>(name: string): Queue<W> {
  const heap = () => new IndexedHeap<ProjectNode<W>>(({ project }) => project.spent);
  return { name, projects: { interactive: heap(), background: heap() } };
}

export function newProjectNode<W extends Waiter>(project: ProjectFlow<W>, queue: Queue<W>): ProjectNode<W> {
  const members = new IndexedHeap<MemberNode<W>>(({ member }) => member.spent, isEarlier);
  return { project, queue, members, place: -1 };
}

/** Who has spent less, then who has waited longer. */
export function isBefore<W extends Waiter>(a: MemberNode<W>, b: MemberNode<W>): boolean {
  if (a.member.spent !== b.member.spent) return a.member.spent < b.member.spent;
  return isEarlier(a, b);
}

function isEarlier<W extends Waiter>(a: MemberNode<W>, b: MemberNode<W>): boolean {
  return a.since < b.since;
}
