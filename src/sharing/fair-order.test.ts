import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { LaneName } from '#vocabulary/sharing';
import { type Choice, FairOrder } from './fair-order.ts';
import type { Waiter } from './flows.ts';

interface Job extends Waiter {
  readonly cost: number;
}

let arrivals = 0;
const anyone: Choice<Job> = { isOpen: () => true, holderOf: () => undefined, quantum: 0 };
const held1000 = { bytes: 1000, station: { free: 1 }, next: undefined };

function job(
  memberId: string,
  cost: number,
  more: { project?: string; weight?: number; lane?: LaneName } = {},
): Job {
  const share = {
    projectId: more.project ?? 'p',
    projectWeight: more.weight ?? 1,
    memberId,
    keyId: undefined,
    cacheSalt: memberId,
    lane: more.lane ?? 'interactive',
  };
  return { share, queueName: 'm', arrival: arrivals++, cost, mayBeHeld: true, places: 1 };
}

function leave(order: FairOrder<Job>, waiter: Job): void {
  assert.ok(order.leave(waiter, order.memberOf(waiter.share).nodes.get(waiter.queueName)));
}

/** Serves one turn after the other, each charged in full, and tells who got what. */
function serve(order: FairOrder<Job>, turns: number, refill: (done: Job) => void = () => {}): Job[] {
  const served: Job[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const next = order.next(anyone);
    if (next === undefined) break;
    leave(order, next);
    const member = order.memberOf(next.share);
    order.begin(member, 1);
    order.charge(member, next.cost);
    order.end(member, 1);
    served.push(next);
    refill(next);
  }
  return served;
}

function spentBy(served: readonly Job[], nameOf: (job: Job) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const done of served) sums.set(nameOf(done), (sums.get(nameOf(done)) ?? 0) + done.cost);
  return sums;
}

test('between members who always want more, cost served differs by less than two of the largest jobs, at every moment', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 6 }), (costs) => {
      const order = new FairOrder<Job>(0.05);
      const largest = Math.max(...costs);
      const refill = ({ share, cost }: Job) => order.enter(job(share.memberId, cost));
      for (const [index, cost] of costs.entries()) order.enter(job(`member ${index}`, cost));
      const sums = new Map<string, number>();
      for (const done of serve(order, 400, refill)) {
        sums.set(done.share.memberId, (sums.get(done.share.memberId) ?? 0) + done.cost);
        const all = costs.map((_, index) => sums.get(`member ${index}`) ?? 0);
        assert.ok(Math.max(...all) - Math.min(...all) <= 2 * largest);
      }
    }),
  );
});

test('in a line of several queues nobody gains or loses by which of them are open, nor by coming later', () => {
  const queues = ['one', 'two', 'three'];
  const openOnes = fc.subarray(queues, { minLength: 1 });
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 5 }),
      fc.array(openOnes, { minLength: 60, maxLength: 120 }),
      fc.boolean(),
      (costs, turns, areProjects) => {
        const order = new FairOrder<Job>(0.05);
        const sums = costs.map(() => 0);
        const enter = (index: number, queueName: string) => {
          const project = areProjects ? `project ${index}` : 'p';
          order.enter({ ...job(`member ${index}`, costs[index] ?? 0, { project }), queueName });
        };
        const [late, lateAt] = [costs.length - 1, turns.length / 2];
        for (const [index] of costs.entries())
          if (index !== late) for (const name of queues) enter(index, name);
        for (const [turn, open] of turns.entries()) {
          if (turn === Math.floor(lateAt)) {
            sums.fill(0);
            for (const name of queues) enter(late, name);
          }
          const next = order.next({ ...anyone, isOpen: (name) => open.includes(name) });
          assert.ok(next !== undefined);
          leave(order, next);
          const member = order.memberOf(next.share);
          order.begin(member, 1);
          order.charge(member, next.cost);
          order.end(member, 1);
          const index = Number(next.share.memberId.slice('member '.length));
          sums[index] = (sums[index] ?? 0) + next.cost;
          enter(index, next.queueName);
          const present = turn < lateAt ? sums.slice(0, late) : sums;
          assert.ok(Math.max(...present) - Math.min(...present) <= 2 * Math.max(...costs), String(present));
        }
      },
    ),
  );
});

test('projects share by weight, whatever the number of their members', () => {
  const order = new FairOrder<Job>(0.05);
  const refill = ({ share, cost }: Job) =>
    order.enter(job(share.memberId, cost, { project: share.projectId, weight: share.projectWeight }));
  for (let member = 0; member < 20; member++) order.enter(job(`crowd ${member}`, 7, { project: 'crowd' }));
  order.enter(job('one', 11, { project: 'heavy', weight: 3 }));
  const sums = spentBy(serve(order, 4000, refill), ({ share }) => share.projectId);
  const ratio = (sums.get('heavy') ?? 0) / (sums.get('crowd') ?? 1);
  assert.ok(Math.abs(ratio - 3) < 0.06, `1:3 became 1:${ratio}`);
});

test('idle time earns no credit, and a debt is not forgotten by leaving for a moment', () => {
  const order = new FairOrder<Job>(0.05);
  const refill = (done: Job) => {
    if (done.share.memberId === 'busy') order.enter(job('busy', 10));
  };
  order.enter(job('busy', 10));
  serve(order, 100, refill);
  for (let late = 0; late < 50; late++) order.enter(job('late', 10));
  const next = serve(order, 40, refill).map(({ share }) => share.memberId);
  const lateTurns = next.filter((name) => name === 'late').length;
  assert.ok(lateTurns >= 19 && lateTurns <= 21, `${lateTurns} of 40`);
});

test('four questions that need not wait leave nobody behind those who wait with four', () => {
  const order = new FairOrder<Job>(0.05, 1000);
  const early = order.memberOf(job('early', 10).share);
  for (let question = 0; question < 4; question++) {
    order.pass(early);
    order.begin(early, 1);
    order.charge(early, 10);
  }
  for (let question = 0; question < 4; question++) order.enter(job('late', 10));
  order.end(early, 4);
  for (let question = 0; question < 4; question++) order.enter(job('early', 10));
  const refill = ({ share, cost }: Job) => order.enter(job(share.memberId, cost));
  const sums = spentBy(serve(order, 20, refill), ({ share }) => share.memberId);
  // Those who wait first catch up with what the others had without waiting.
  assert.deepEqual(Object.fromEntries(sums), { late: 120, early: 80 });
});

test('of several who come back at once nobody is the further ahead the later they came', () => {
  const order = new FairOrder<Job>(0.05, 1000);
  const names = ['a', 'b', 'c', 'd', 'e'];
  const refill = ({ share, cost }: Job) => order.enter(job(share.memberId, cost));
  for (const name of names) order.enter(job(name, 10));
  serve(order, names.length);
  // Meanwhile somebody else has had much.
  order.enter(job('busy', 10));
  serve(order, 2000, refill);
  for (const name of names) for (let question = 0; question < 4; question++) order.enter(job(name, 10));
  const sums = spentBy(serve(order, 500, refill), ({ share }) => share.memberId);
  assert.deepEqual(new Set(names.map((name) => sums.get(name))), new Set([1000]), JSON.stringify([...sums]));
});

test('background work gets what is left, and a twentieth when nothing is', () => {
  const order = new FairOrder<Job>(0.05);
  const refill = ({ share, cost }: Job) => order.enter(job(share.memberId, cost, { lane: share.lane }));
  order.enter(job('night', 10, { lane: 'background' }));
  assert.equal(serve(order, 10, refill).length, 10);
  order.enter(job('day', 10));
  const sums = spentBy(serve(order, 2000, refill), ({ share }) => share.lane);
  const part = (sums.get('background') ?? 0) / 20_000;
  assert.ok(Math.abs(part - 0.05) < 0.005, `background got ${part}`);
});

test('a prompt that is still held goes first only among equals', () => {
  const order = new FairOrder<Job>(0.05);
  const saving = (quantum: number): Choice<Job> => ({
    ...anyone,
    quantum,
    holderOf: ({ share }) => (share.memberId === 'held' ? held1000 : undefined),
  });
  const held = job('held', 10);
  order.charge(order.memberOf(held.share), 5);
  const first = job('first', 10);
  order.enter(first);
  order.enter(held);
  assert.equal(order.next(saving(4)), first);
  assert.equal(order.next(saving(6)), held);
});

test('nobody asks what engines hold of prompts that none has read, until one has', () => {
  const order = new FairOrder<Job>(0.05);
  const asked: string[] = [];
  const choice: Choice<Job> = {
    ...anyone,
    quantum: 1000,
    holderOf({ share }) {
      asked.push(share.projectId);
      return held1000;
    },
  };
  // One person in two projects: what an engine has read for one it holds for the other.
  const other = order.memberOf(job('ada', 10, { project: 'other' }).share);
  const first = { ...job('first', 10), mayBeHeld: false };
  const fresh = { ...job('ada', 10), mayBeHeld: false };
  order.enter(first);
  order.enter(fresh);
  assert.equal(order.next(choice), first);
  assert.deepEqual(asked, []);
  order.begin(other, 1);
  assert.equal(order.next(choice), fresh);
  assert.deepEqual(asked, ['p']);
  leave(order, fresh);
  order.enter({ ...fresh });
  assert.equal(order.next(choice), first, 'a note goes with the last who needs it');
  order.enter(job('ada', 10));
  assert.notEqual(order.next(choice), first, 'what was read before somebody came counts too');
});

test('whoever gives up leaves nothing behind, and a million passers-by are forgotten', () => {
  const order = new FairOrder<Job>(0.05);
  for (let member = 0; member < 200_000; member++) {
    const once = job(`passer-by ${member}`, 5);
    order.enter(once);
    if (member % 2 === 0) leave(order, once);
    else serve(order, 1);
  }
  assert.equal(order.size, 0);
  assert.ok([...order.members()].length <= 20_000);
});

test('a queue without room is passed over, a member who has enough is too', () => {
  const order = new FairOrder<Job>(0.05);
  const elsewhere: Job = { ...job('a', 10), queueName: 'other' };
  order.enter(elsewhere);
  const here = job('b', 10);
  order.enter(here);
  assert.equal(order.next({ ...anyone, isOpen: (name) => name === 'm' }), here);
  order.hold(order.memberOf(here.share), true);
  assert.equal(order.next({ ...anyone, isOpen: (name) => name === 'm' }), undefined);
  order.hold(order.memberOf(here.share), false);
  assert.equal(order.next({ ...anyone, isOpen: (name) => name === 'm' }), here);
});
