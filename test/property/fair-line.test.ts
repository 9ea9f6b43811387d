import assert from 'node:assert/strict';
import test from 'node:test';
import { liveInCity } from '../../bench/simulation/city.ts';
import {
  backgroundBesideFlood,
  floodBesideOccasional,
  promptsAgainstAnswers,
  servedElsewhereToo,
  weightedProjects,
  wideBesideFlood,
} from '../../bench/simulation/laws.ts';

/** The service's own admission, sharing and routing on a virtual clock: nothing here depends on how fast it runs. */

test('long prompts and long answers cost the same: never further apart than the bound, and even in every window', async () => {
  const { largestGap, bound, leastJain, idleSeats } = await promptsAgainstAnswers('fair', 120);
  assert.ok(largestGap < bound, `${largestGap} of ${bound}`);
  assert.ok(leastJain >= 0.98, `Jain index ${leastJain}`);
  assert.equal(idleSeats, 0);
});

test('projects of weight 1 and 3 get 1 and 3, and no place is free while somebody waits', async () => {
  const { ratio, idleSeats } = await weightedProjects(150);
  assert.ok(Math.abs(ratio - 3) <= 0.06, `1:3 became 1:${ratio}`);
  assert.equal(idleSeats, 0);
});

test('background work is never starved', async () => {
  const { share, idleSeats } = await backgroundBesideFlood(240);
  assert.ok(share >= 0.049, `background got ${share}`);
  assert.equal(idleSeats, 0);
});

test('a flood is hardly felt by somebody who asks now and then', async () => {
  const alone = await floodBesideOccasional('fair', false, 300);
  const flooded = await floodBesideOccasional('fair', true, 300);
  assert.ok(
    flooded.lightP95 <= 1.5 * alone.lightP95,
    `${flooded.lightP95} ms against ${alone.lightP95} alone`,
  );
});

test('what another gateway has served counts in the line of this one', async () => {
  const { ratio } = await servedElsewhereToo(240);
  assert.ok(Math.abs(ratio - 1) < 0.05, `here and elsewhere became ${ratio} to 1`);
});

test('whoever needs all places of an engine gets them, beside a flood and beside another such', async () => {
  const { single, wide, wider } = await wideBesideFlood(60);
  assert.ok(single > 0 && wide > 0 && wider > 0, `${single}, ${wide}, ${wider}`);
});

test('bursts, engines that die and a gateway that dies leave nobody behind', async () => {
  const city = await liveInCity({ engines: 6, callers: 400, seconds: 60, seats: 16, stride: 8 });
  assert.ok(city.lost > 0 && city.mostWaiting > 0, 'the gateway died and somebody had to wait');
  assert.equal(city.neverServed, 0);
  assert.equal(city.refused, 0);
  assert.ok(city.calmP95 < city.floodP95, `${city.calmP95} ms against ${city.floodP95}`);
  // Places that are kept for people who are expected back.
  assert.ok(city.idleWhileWaited < 0.05, `${city.idleWhileWaited} of all places`);
});
