import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppliedLimits, Limits, LimitScope } from '#vocabulary/limits';
import { createLimitKeeper } from './limit-keeper.ts';

const claim = { tokens: 10, cost: 10 };

function bench() {
  let nowMs = 1_000_000;
  const keeper = createLimitKeeper({ wallMs: () => 1e12 + nowMs, monotonicMs: () => nowMs });
  const applied = (scope: LimitScope, subject: string, limits: Limits): AppliedLimits[] => [
    { scope, subject, modelId: undefined, limits },
  ];
  return {
    advance: (ms: number) => (nowMs += ms),
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
