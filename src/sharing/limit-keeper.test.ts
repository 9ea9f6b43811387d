import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppliedLimits, Limits, LimitScope } from '#vocabulary/limits';
import { Refusal } from '#vocabulary/refusal';
import { Roster } from '#vocabulary/roster';
import { noUsage, type TokenUsage } from '#vocabulary/usage';
import { createLimitKeeper } from './limit-keeper.ts';
import type { Claim } from './meter.ts';
import { RunningTurn } from './running-turn.ts';

const claim = { tokens: 10, cost: 10 };

function bench() {
  let nowMs = 1_000_000;
  let skewMs = 0;
  const keeper = createLimitKeeper({ wallMs: () => 1e12 + nowMs + skewMs, monotonicMs: () => nowMs });
  const applied = (scope: LimitScope, subject: string, limits: Limits): AppliedLimits[] => [
    { scope, subject, modelId: undefined, limits },
  ];
  return {
    keeper,
    advance: (ms: number) => (nowMs += ms),
    jump: (days: number) => (skewMs += days * 86_400_000),
    /** Of the second of two requests. */
    refusal(limits: Partial<Record<LimitScope, Limits>>): Refusal {
      const all = Object.entries(limits) as [LimitScope, Limits][];
      const each = all.flatMap(([scope, of]) => applied(scope, `${scope} ${JSON.stringify(limits)}`, of));
      const ask = () =>
        keeper.reserve(
          each,
          () => claim,
          () => {},
        );
      const first = ask();
      if ('settle' in first) first.settle(claim);
      try {
        void ask();
      } catch (thrown) {
        if (thrown instanceof Refusal) return thrown;
      }
      return assert.fail('nothing was reached');
    },
    spend(subject: string, limits: Limits): void {
      const reservation = keeper.reserve(
        applied('person', subject, limits),
        () => claim,
        () => {},
      );
      assert.ok('settle' in reservation, 'nobody else is asked');
      reservation.settle(claim);
    },
    used: (subject: string, limits: Limits) => keeper.standing(applied('person', subject, limits))[0]?.used,
  };
}

test('a budget counts what was running when it was given, once', () => {
  const { keeper, used } = bench();
  const budget = (subject: string): AppliedLimits => ({
    scope: 'person',
    subject,
    modelId: undefined,
    limits: { costPerMonth: 1000 },
  });
  const [ada, campus] = [budget('person:ada'), budget('project:campus')];
  keeper.spendLate([ada], [{ ...ada, limits: { costPerMonth: 500 } }, campus], 40);
  assert.equal(used('project:campus', campus.limits), 40);
  assert.equal(used('person:ada', ada.limits), 0, 'it was reserved there, and settled');
});

test('callers seen once are forgotten, however many, and a budget of somebody with an account is not', () => {
  const { advance, spend, used } = bench();
  const perMinute = { requestsPerMinute: 5 };
  const budget = { costPerMonth: 1000 };
  spend('person:ada', budget);
  spend('person:address:fd00::first', budget);
  spend('person:bob', perMinute);
  for (let caller = 0; caller < 100_000; caller++) {
    spend(`person:address:fd00::${caller}`, budget);
    spend(`person:person-${caller}`, perMinute);
    if (caller % 2_000 === 0) advance(60_000);
  }
  assert.equal(used('person:ada', budget), 10, 'a budget of somebody is never begun anew');
  assert.equal(used('person:address:fd00::first', budget), 0);
  assert.equal(used('person:address:fd00::99999', budget), 10);
  spend('person:bob', perMinute);
  assert.equal(used('person:bob', perMinute), 1);
});

test('what is being counted is not forgotten for the sake of newcomers', () => {
  const { spend, used } = bench();
  const perMinute = { requestsPerMinute: 5 };
  spend('person:ada', perMinute);
  for (let caller = 0; caller < 60_000; caller++) spend(`person:person-${caller}`, perMinute);
  assert.equal(used('person:ada', perMinute), 1);
});

test('what a gateway that died had admitted is counted, and not refused', () => {
  const { keeper } = bench();
  const limits = { requestsPerMinute: 1, tokensPerMinute: 10, requestsAtOnce: 1, costPerDay: 10 };
  const applied: AppliedLimits[] = [{ scope: 'key', subject: 'heir', modelId: undefined, limits }];
  const reserve = (wasAdmitted: boolean) =>
    keeper.reserve(
      applied,
      () => claim,
      () => {},
      wasAdmitted,
    );
  const first = reserve(false);
  assert.throws(() => reserve(false), Refusal);
  const inherited = reserve(true);
  for (const each of [first, inherited]) if ('settle' in each) each.settle(claim);
  const used = keeper.standing(applied).map(({ limit, used: amount }) => [limit, amount]);
  assert.deepEqual(Object.fromEntries(used), {
    requestsPerMinute: 1,
    tokensPerMinute: 10,
    requestsAtOnce: 0,
    costPerDay: 20,
  });
});

test('of several limits that are reached the one is told that lasts longest', () => {
  const { refusal } = bench();
  const two = { key: { requestsPerMinute: 1 }, project: { costPerDay: 15, tokensPerMinute: 15 } };
  const { code, retryAfterSeconds = 0 } = refusal(two);
  assert.equal(code, 'insufficient_quota');
  assert.ok(retryAfterSeconds > 60, `the day has to end, not ${retryAfterSeconds} seconds`);
  assert.equal(refusal({ ...two, person: { costInTotal: 15 } }).retryAfterSeconds, undefined);
  const rates = { key: { requestsPerMinute: 60, tokensPerMinute: 10 } };
  assert.equal(refusal(rates).retryAfterSeconds, 60, 'a request comes back every second, the tokens do not');
});

test('a day into which a clock has jumped does not hold up a budget once the clock is right again', () => {
  const { jump, spend, used } = bench();
  const daily = { costPerDay: 10 };
  jump(365);
  spend('ada', daily);
  jump(-365);
  assert.equal(used('ada', daily), 10, 'the old day does not begin again');
  jump(1);
  assert.equal(used('ada', daily), 0);
});

test('a turn that ends without a word about its use gives back what it had reserved, and one that was settled nothing more', () => {
  const settled: Claim[] = [];
  const request = { model: { id: 'm' } };
  const begin = () =>
    new RunningTurn({
      line: { charge: () => {}, end: () => {} },
      standing: { route: { request }, charged: 0 },
      costs: { costOf: (_: string, { outputTokens }: TokenUsage) => outputTokens, learn: () => {} },
      running: new Roster(),
      reservation: { settle: (used: Claim) => settled.push(used) },
    } as unknown as ConstructorParameters<typeof RunningTurn>[0]);
  begin()[Symbol.dispose]();
  const used = begin();
  used.settle({ ...noUsage, outputTokens: 7 });
  used[Symbol.dispose]();
  assert.deepEqual(settled, [
    { tokens: 0, cost: 0 },
    { tokens: 7, cost: 7 },
  ]);
});
