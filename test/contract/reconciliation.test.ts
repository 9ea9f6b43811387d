import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { EngineDrift } from '#contract/operations';
import { send } from '#harness/http-client';
import { type Gateway, startGateway } from '#harness/gateway';
import { freePort } from '#harness/free-port';
import { ask } from '#harness/service';
import { type SimulatedEngine, startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import { Visitor } from '../console/visitor.ts';

const kinds = ['vllm', 'sglang', 'llama-server', 'openai'] as const;
type Kind = (typeof kinds)[number];

let engines: Readonly<Record<Kind, SimulatedEngine>>;
let gateway: Gateway;
let operator: Visitor;
let key: string;

before(async () => {
  const started = await Promise.all(
    kinds.map(async (flavour) => [flavour, await startSimulatedEngine({ flavour, models: ['m'] })] as const),
  );
  engines = Object.fromEntries(started) as Record<Kind, SimulatedEngine>;
  for (const [, { control }] of started) control.counters = 'none';
  gateway = await startGateway({
    settings: {
      listen: `127.0.0.1:${await freePort()}`,
      log: { level: 'info', format: 'json' },
      engines: started.map(([kind, { url }]) => ({ name: kind, kind, url })),
      models: kinds.map((kind) => ({ id: `of-${kind}`, engines: [{ engine: kind, model: 'm' }] })),
    },
  });
  key = (await gateway.createKey()).secret;
  const link = await waitUntil('the first start prints a link', () =>
    Promise.resolve(/#link=(\S+)/.exec(gateway.logs())?.[1]),
  );
  operator = new Visitor(gateway.url);
  await operator.ok('POST /console/sign-in/link', { body: { token: decodeURIComponent(link) } });
  // The first probes are over when the counting begins: what is half done then would be missing on one side.
  await waitUntil('the engines are probed', async () =>
    (await operator.ok('GET /console/administration/overview')).engines.every(
      ({ health }) => health === 'healthy',
    ),
  );
  for (const [, { control }] of started) control.counters = 'honest';
  await waitUntil('the counters are read', async () => (await driftOf('vllm')).counters === 'read');
});

after(async () => {
  await gateway.stop();
  await Promise.all(Object.values(engines).map((engine) => engine.stop()));
});

test('what was served through us, probes included, is what the engines counted', async () => {
  for (const kind of kinds) {
    for (const stream of [true, false]) await chat(kind, 'sim:cached=2 one two three four', stream);
  }
  for (const kind of kinds) {
    const { engineName, modelId } = { engineName: kind, modelId: `of-${kind}` };
    await operator.ok('POST /console/administration/engines/:engineName/test', {
      engineName,
      body: { modelId },
    });
  }
  for (const kind of ['vllm', 'sglang', 'llama-server'] as const) {
    const { day, hours } = await settled(kind);
    assert.equal(day.input.drift, 0, kind);
    assert.equal(day.output.drift, 0, kind);
    assert.equal(hours[0]!.isWhole, false, 'we began to look in the midst of the hour');
    const { input, cached } = engines[kind].counted;
    assert.ok(cached >= 4 && day.input.theirs <= (kind === 'llama-server' ? input - cached : input));
  }
  const other = await driftOf('openai');
  assert.deepEqual([other.counters, other.hours.length, other.day.input.drift], ['none', 0, null]);
});

test('a caller beside us shows on the page, in the metrics and on the command line', async () => {
  const before = await settled('vllm');
  await send(`${engines.vllm.url}/v1/chat/completions`, {
    body: { model: 'm', messages: ask('sim:frames=60 somebody else') },
  });
  const { day } = await waitUntil('the stranger is seen', async () => {
    const seen = await driftOf('vllm');
    return seen.day.output.theirs > before.day.output.theirs && seen;
  });
  assert.equal(day.output.ours, before.day.output.ours);
  assert.equal(day.output.theirs - day.output.ours, 60);
  assert.equal(day.output.drift, 60 / day.output.theirs);
  const { text } = await send(gateway.metricsUrl);
  const told = /gatehouse_engine_token_drift_ratio\{engine="vllm",kind="output"\} (\S+)/.exec(text)?.[1];
  assert.equal(Number(told), day.output.drift);
  assert.doesNotMatch(text, /token_drift_ratio\{engine="openai"/);
  const { stdout } = await gateway.command('usage', 'drift');
  const percent = ((100 * 60) / day.output.theirs).toFixed(1).replace('.', '\\.');
  assert.match(stdout, new RegExp(`vllm +output +${day.output.ours} +${day.output.theirs} +\\+${percent} %`));
  assert.match(stdout, /openai +- /);
});

test('an engine that starts again, lies or falls silent makes no nonsense', async () => {
  const before = await settled('sglang');
  Object.assign(engines.sglang.counted, { input: 0, cached: 0, output: 0 });
  await driftOf('sglang');
  await chat('sglang', 'after the restart');
  const again = await waitUntil('it counts anew', async () => {
    const seen = await driftOf('sglang');
    return seen.day.output.theirs > before.day.output.theirs && seen.day.output.drift === 0 && seen;
  });
  assert.equal(again.hours[0]!.isWhole, false);
  assert.equal(again.day.input.drift, 0);

  engines.sglang.control.counters = 'nonsense';
  await chat('sglang', 'said while it lies');
  const lied = await driftOf('sglang');
  assert.equal(lied.counters, 'none');
  assert.deepEqual(lied.day, again.day, 'nothing is written down while the other side is not known');
  engines.sglang.control.counters = 'honest';
  await engines.sglang.refuseConnections();
  assert.equal((await driftOf('sglang')).counters, 'none');
  await engines.sglang.acceptAgain();
  const back = await settled('sglang');
  assert.ok(back.day.output.theirs > again.day.output.theirs);
  assert.equal(back.day.output.drift, 0, 'both sides of the silence are caught up with');
});

async function chat(kind: Kind, words: string, stream = false): Promise<void> {
  const { status } = await send(`${gateway.url}/api/chat/completions`, {
    headers: { authorization: `bearer ${key}` },
    body: { model: `of-${kind}`, stream, messages: ask(words) },
  });
  assert.equal(status, 200);
}

async function driftOf(kind: Kind): Promise<EngineDrift> {
  const { engines: all } = await operator.ok('GET /console/administration/usage/drift');
  return all.find(({ name }) => name === kind)!;
}

/** When everything that the engine has done since the first reading has been written down. */
function settled(kind: Kind): Promise<EngineDrift> {
  return waitUntil(`${kind} is caught up with`, async () => {
    const seen = await driftOf(kind);
    return seen.counters === 'read' && seen.day.input.drift === 0 && seen.day.output.drift === 0 && seen;
  });
}
