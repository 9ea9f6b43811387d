import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemberShares } from './member-shares.ts';

test('whoever comes back is a little ahead of those who were here, with one question and not with several', () => {
  const shares = createMemberShares();
  shares.join('heavy');
  shares.join('heavy');
  shares.charge('heavy', 100_000);
  shares.join('light');
  assert.ok(shares.given('light') < shares.given('heavy'));
  assert.ok(shares.given('light') > shares.given('heavy') - 5000);
  shares.join('crowd');
  shares.join('crowd');
  assert.ok(shares.given('crowd') > shares.given('light'));
});

test('asking again and again earns no head start twice', () => {
  const shares = createMemberShares();
  shares.join('heavy');
  shares.charge('heavy', 100_000);
  const ask = (): number => {
    shares.join('light');
    const ahead = shares.given('heavy') - shares.given('light');
    shares.charge('light', 400);
    shares.leave('light');
    return ahead;
  };
  const first = ask();
  const again = [ask(), ask(), ask(), ask()];
  assert.ok(first > 0);
  assert.ok((again.at(-1) ?? first) <= 0, 'who was here and got nothing meanwhile is next');
  shares.charge('heavy', 100_000);
  assert.equal(ask(), first, 'the others have been served since');
});

test('nobody owes more than they could have had in a few seconds, however long they had the engine', () => {
  const shares = createMemberShares();
  shares.join('slow');
  shares.join('heavy');
  for (let step = 0; step < 1000; step += 1) shares.charge('heavy', 1000);
  assert.ok(shares.given('heavy') - shares.given('slow') < 6000);
});

test('members seen once are forgotten', () => {
  const shares = createMemberShares();
  shares.join('heavy');
  for (let index = 0; index < 10_000; index += 1) {
    shares.join(`member ${index}`);
    shares.charge(`member ${index}`, 3000);
    shares.leave(`member ${index}`);
  }
  const given = shares.given('heavy');
  assert.equal(shares.given('member 0'), shares.given('nobody who ever came'));
  assert.ok(shares.given('member 9999') > given);
});
