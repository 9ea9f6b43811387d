import assert from 'node:assert/strict';
import test from 'node:test';
import { liveInCity } from '../../bench/simulation/city.ts';
import {
  ask as askFor,
  backgroundBesideFlood,
  floodBesideOccasional,
  promptsAgainstAnswers,
  servedElsewhereToo,
  weightedProjects,
  wideBesideFlood,
} from '../../bench/simulation/laws.ts';
import { createSimulatedGateway } from '../../bench/simulation/simulated-gateway.ts';
import { createWorld, keyOf } from '../../bench/simulation/world.ts';

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

test('models of the same engines wait for the same places, until one of them loses an engine', async () => {
  const world = createWorld({ pools: [{ models: ['m', 'other'], engines: 2, seats: 1 }] });
  const gateway = createSimulatedGateway(world);
  const answered: string[] = [];
  const askAs = (name: string, modelId: string, outputTokens: number) =>
    void gateway
      .ask(keyOf(name), { ...askFor(world, 100, outputTokens), model: world.model(modelId) })
      .then(() => answered.push(name));
  askAs('long', 'm', 10_000);
  askAs('short', 'other', 100);
  await world.time.runUntil(1);
  const [kept] = world.engines.keys();
  askAs('stays', 'm', 100);
  askAs('goes', 'other', 100);
  await world.time.runUntil(2);
  const models = world.catalogue.models.map((model) =>
    model.id === 'm'
      ? { ...model, replicas: model.replicas.filter(({ engineName }) => engineName === kept) }
      : model,
  );
  gateway.apply({ ...world.catalogue, models });
  await world.time.runUntil(10_000);
  assert.deepEqual(answered, ['short', 'goes']);
  await world.time.runUntil(300_000);
  assert.deepEqual(answered, ['short', 'goes', 'long', 'stays']);
});

test('a full line and a long wait refuse newcomers, and nobody whom a gateway that died had admitted', async () => {
  const world = createWorld({ pools: [{ models: ['m'], engines: 1, seats: 1 }] });
  const limits = { maxWaiting: 1, maxWaitingPerMember: 1, maxRunningPerMember: 9, maxWaitMs: 1000 };
  const gateway = createSimulatedGateway(world, { sharing: { limits } });
  const endings = new Map<string, string>();
  for (const name of ['runs', 'waits', 'newcomer', 'admitted', 'admitted-too'])
    void gateway
      .ask(keyOf('same'), { ...askFor(world, 100, 2000), wasAdmitted: name.startsWith('admitted') })
      .then(({ ending, code }) => endings.set(name, code ?? ending));
  await world.time.runUntil(3_600_000);
  const refused = { waits: 'queue_full', newcomer: 'queue_full' };
  const served = { runs: 'completed', admitted: 'completed', 'admitted-too': 'completed' };
  assert.deepEqual(Object.fromEntries(endings), { ...refused, ...served });
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
