import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import type { ReceivedStream } from '#harness/http-client';
import { connectRaw, rawRequest } from '#harness/raw-http';
import { ask, mark, startService, standardModels } from '#harness/service';
import type { Service } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil, within } from '#harness/wait-until';

/** Stopping and changing the service under people's feet, without anybody falling. */
const endless = { model: 'beta-4-scout', messages: ask('sim:frames=100000 sim:every=20'), stream: true };
const quick = { model: 'beta-4-scout', messages: ask('hello') };

/** A stream that goes on until it is told to finish, as an engine would. */
async function run(service: Service): Promise<{ stream: ReceivedStream; finish: () => void }> {
  const mine = mark();
  const body = { ...endless, messages: ask(`${mine} sim:frames=100000 sim:every=20`) };
  const stream = await openStream(url(service), { body });
  await stream.untilFrames(3);
  const generation = service.engineA.marked(mine)[0]!;
  return { stream, finish: () => void (generation.isToldToFinish = true) };
}

const url = (service: Service) => `${service.direct('beta-4-scout')}/chat/completions`;

test('SIGTERM: readiness flips, streams finish, new work is refused, then the end', async () => {
  await using service = await startService({ settings: { drain: '30s' } });
  const { gateway } = service;
  const { stream: running, finish } = await run(service);
  // Callers who connect at this very moment are answered, not reset.
  const over = new AbortController();
  const crowd = Array.from({ length: 12 }, async () => {
    while (!over.signal.aborted) assert.equal((await send(`${gateway.url}/healthz`)).status, 200);
  });
  gateway.signal('SIGTERM');
  await waitUntil('readiness flips', async () => (await send(`${gateway.url}/readyz`)).status === 503);
  const refused = await send(url(service), { body: quick });
  assert.deepEqual([refused.status, refused.error.code], [503, 'shutting_down']);
  assert.equal(refused.headers.connection, 'close');
  assert.ok(Number(refused.headers['retry-after']) > 0);
  over.abort();
  await Promise.all(crowd);
  finish();
  assert.equal(await running.ended, 'complete');
  assert.equal(running.frames().at(-1), '[DONE]');
  assert.deepEqual(running.chunks().at(-1)?.choices[0]?.finish_reason, 'stop');
  assert.equal(await within('the gateway to end', gateway.exited), 0);
});

test('eight hundred callers who come while the gateway stands still for a moment are all let in, and answered', async () => {
  await using service = await startService();
  const { gateway } = service;
  gateway.signal('SIGSTOP');
  const callers = Array.from({ length: 800 }, () => connectRaw(gateway.url));
  // Nobody accepts them now: whoever is connected has been kept by the system.
  const connected = await within('the system to keep them all', Promise.all(callers));
  for (const caller of connected) caller.send(rawRequest('GET', '/healthz'));
  gateway.signal('SIGCONT');
  for (const caller of connected) {
    using _ = caller;
    assert.equal((await caller.response()).status, 200);
  }
});

test('SIGTERM before a balancer: nobody listens any more, and streams finish', async () => {
  await using service = await startService({ settings: { drain: '30s', whenStopping: 'close' } });
  const { stream: running, finish } = await run(service);
  service.gateway.signal('SIGTERM');
  await waitUntil('nobody listens', () =>
    send(`${service.gateway.url}/healthz`).then(
      () => false,
      (error: unknown) => String((error as Error).cause ?? error).includes('ECONNREFUSED'),
    ),
  );
  finish();
  assert.equal(await running.ended, 'complete');
  assert.equal(running.frames().at(-1), '[DONE]');
  assert.equal(await within('the gateway to end', service.gateway.exited), 0);
});

test('a stream that outlasts the drain ends with an error event and a record', async () => {
  await using service = await startService({ settings: { drain: '300ms' } });
  const running = await openStream(url(service), { body: endless });
  await running.untilFrames(3);
  service.gateway.signal('SIGTERM');
  assert.equal(await running.ended, 'complete');
  assert.equal(running.chunks().at(-1)?.error?.code, 'shutting_down');
  await within('the gateway to end', service.gateway.exited);
  const [row] = service.gateway.usageRecords();
  assert.equal(row?.ending, 'shutdown');
  await waitUntil('the engine is free', () => service.engineA.activeGenerations === 0);
});

test('whoever stands in the line when the end is near is still served', async () => {
  await using service = await startService({ engine: { maxConcurrent: 1 }, settings: { drain: '30s' } });
  const { gateway } = service;
  const { stream: running, finish } = await run(service);
  const mine = mark();
  const waiting = send(url(service), { body: { ...quick, messages: ask(mine) } });
  await waitUntil('one waits', async () =>
    /^gatehouse_requests_waiting\S* 1$/m.test((await send(gateway.metricsUrl)).text),
  );
  gateway.signal('SIGTERM');
  await waitUntil('it drains', async () => (await send(`${gateway.url}/readyz`)).status === 503);
  finish();
  assert.equal((await waiting).status, 200);
  assert.equal(running.frames().at(-1), '[DONE]');
  assert.equal(await within('the gateway to end', gateway.exited), 0);
});

test('a second signal ends at once', async () => {
  await using service = await startService({ settings: { drain: '1h' } });
  const running = await openStream(url(service), { body: endless });
  await running.untilFrames(3);
  service.gateway.signal('SIGTERM');
  await waitUntil('it drains', async () => (await send(`${service.gateway.url}/readyz`)).status === 503);
  // Signals that follow at once count as the same one.
  let isOver = false;
  void service.gateway.exited.then(() => (isOver = true));
  await waitUntil('the gateway has ended', () => {
    service.gateway.signal('SIGTERM');
    return isOver;
  });
});

test('new models, engines and networks come into use without dropping a stream', async () => {
  await using service = await startService();
  const { gateway, settings } = service;
  const models = async () => {
    const answer = await send(`${gateway.url}/api/models`, {
      headers: { authorization: `bearer ${service.key}` },
    });
    return (answer.json as { data: { id: string }[] }).data.map((model) => model.id);
  };
  const { stream: running, finish } = await run(service);

  // By signal: a new model appears, an old one goes, the network rule closes.
  const fresh = { id: 'delta', engines: [{ engine: 'engine-a', model: 'org/beta' }] };
  await gateway.rewriteSettings({
    ...settings,
    models: [...standardModels.slice(0, 1), fresh],
    directNetworks: ['10.0.0.0/8'],
  });
  gateway.signal('SIGHUP');
  await waitUntil('the new list is served', async () => (await models()).includes('delta'));
  assert.deepEqual((await models()).sort(), ['alpha-R1', 'delta']);
  assert.equal((await send(`${gateway.url}/delta/v1/models`)).status, 401);
  finish();
  assert.equal(await running.ended, 'complete');
  assert.equal(running.frames().at(-1), '[DONE]');

  // By a change of the file alone, and back.
  await gateway.rewriteSettings(settings);
  await waitUntil('the old list is back', async () => (await models()).includes('gamma-oss-120b'));
  assert.equal((await send(url(service), { body: quick })).status, 200);

  // A mistake keeps what is in force.
  await gateway.rewriteSettings({ ...settings, models: [{ id: 'broken', engines: ['nowhere'] }] });
  gateway.signal('SIGHUP');
  await waitUntil('the mistake is logged', () => /nowhere/.test(gateway.logs()));
  assert.equal((await send(url(service), { body: quick })).status, 200);
  assert.equal((await models()).length, 3);
});

test('an engine on a unix socket, a key from the command line, and settings that must not be', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-socket-'));
  const socketPath = join(folder, 'engine.sock');
  await using engine = await startSimulatedEngine({ flavour: 'llama-server', models: ['m'], socketPath });
  const settings = {
    listen: '127.0.0.1:0',
    engines: [{ name: 'near', kind: 'llama-server', socket: socketPath }],
    models: [{ id: 'near-model', engines: [{ engine: 'near', model: 'm' }] }],
  };
  {
    await using gateway = await startGateway({ settings });
    const { stdout } = await gateway.command('keys', 'create', '--name', 'from the shell');
    assert.match(stdout, /^gh_\w+\n$/);
    const request = {
      headers: { authorization: `bearer ${stdout.trim()}` },
      body: { model: 'near-model', messages: ask('hello') },
    };
    const chat = `${gateway.url}/api/chat/completions`;
    await waitUntil(
      'the gateway has learnt of the key',
      async () => (await send(chat, request)).status === 200,
    );
    assert.equal(engine.generations.at(-1)?.request['model'], 'm');
  }
  const empty = { ...settings, engines: [{ ...settings.engines[0], credential: '' }] };
  await assert.rejects(startGateway({ settings: empty }), /credential/);
  await rm(folder, { recursive: true });
});

test("an answer that has ended is still the caller's until its last byte has left", async () => {
  await using service = await startService({ settings: { drain: '30s' } });
  const body = JSON.stringify({ model: 'beta-4-scout', messages: ask('sim:huge=20000000') });
  using reader = await connectRaw(service.gateway.url);
  reader.socket.pause();
  reader.send(
    rawRequest('POST', '/beta-4-scout/v1/chat/completions', ['Content-Type: application/json'], body),
  );
  await waitUntil('the answer waits to be read', async () =>
    /^gatehouse_buffered_bytes 2\d{7}$/m.test((await send(service.gateway.metricsUrl)).text),
  );
  service.gateway.signal('SIGTERM');
  await waitUntil('it drains', async () => (await send(`${service.gateway.url}/readyz`)).status === 503);
  reader.socket.resume();
  const answer = await reader.response();
  assert.ok(answer.body.length > 20_000_000, `${answer.body.length} bytes came`);
  assert.equal(await within('the gateway to end', service.gateway.exited), 0);
});

test('whoever waits for a whole answer hears at once that it will not come', async () => {
  await using service = await startService({ settings: { drain: '200ms' } });
  const { gateway } = service;
  const [shutDown, revoked] = [mark(), mark()];
  const key = await gateway.createKey({ name: 'to be revoked' });
  const ask5 = (words: string, secret: string) =>
    Array.from({ length: 5 }, () =>
      send(`${service.proxy}/chat/completions`, {
        headers: { authorization: `bearer ${secret}` },
        body: { model: 'beta-4-scout', messages: ask(`${words} sim:hang`) },
      }),
    );
  const withoutKey = ask5(revoked, key.secret);
  const withoutService = ask5(shutDown, service.key);
  await waitUntil(
    'the engine has them all',
    () =>
      service.engineA.requestsMarked(revoked).length + service.engineA.requestsMarked(shutDown).length === 10,
  );
  await gateway.command('keys', 'revoke', key.id);
  for (const { status, error } of await within('an answer', Promise.all(withoutKey)))
    assert.deepEqual([status, error.code], [401, 'access_withdrawn']);
  gateway.signal('SIGTERM');
  for (const { status, error } of await within('an answer', Promise.all(withoutService)))
    assert.deepEqual([status, error.code], [503, 'shutting_down']);
  assert.equal(await within('the gateway to end', gateway.exited), 0);
});

test('one service serves from a data folder: another is refused, and of two that start together one serves', async () => {
  await using first = await startService();
  const { dataDir, pid } = first.gateway;
  const again = () => startGateway({ settings: first.settings, dataDir });
  await assert.rejects(
    again(),
    new RegExp(`Another service serves \\(process ${pid}\\) from the data folder .*gatehouse restart`),
  );
  assert.equal((await send(url(first), { body: quick })).status, 200, 'the first has not noticed');
  first.gateway.signal('SIGTERM');
  assert.equal(await within('the gateway to end', first.gateway.exited), 0);
  const both = await Promise.allSettled([again(), again()]);
  const started = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  for (const gateway of started) await gateway.stop();
  assert.equal(started.length, 1, refused.join());
  assert.match(refused.join(), /Another service (?:is being started|serves)/);
});

test('a start that fails says so in one sentence and leaves nothing running', async () => {
  await using taken = await startService();
  const { port } = new URL(taken.gateway.url);
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-failed-start-'));
  const broken = join(folder, 'broken.pem');
  await writeFile(broken, 'no certificate');
  // The engine inside is being loaded when the mistake is found.
  for (const [settings, sentence] of [
    [{ listen: `127.0.0.1:${port}` }, /^127\.0\.0\.1:\d+ is in use by another program\. [^\n]+$/],
    [{ listen: '127.0.0.1:0', metricsListen: `127.0.0.1:${port}` }, /^127\.0\.0\.1:\d+ is in use[^\n]+$/],
    [
      { listen: '127.0.0.1:0', tls: { certificateFile: broken, keyFile: broken } },
      /^\S+broken\.pem and [^\n]+$/,
    ],
  ] as const) {
    await writeFile(
      join(folder, 'gatehouse.yaml'),
      JSON.stringify({ ...settings, log: { level: 'error', format: 'json' } }),
    );
    const child = spawn(
      process.execPath,
      ['bin/gatehouse.js', 'start', '--settings', join(folder, 'gatehouse.yaml')],
      {
        env: { PATH: process.env['PATH'] ?? '', GATEHOUSE_DATA_DIR: join(folder, 'data') },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await within('the program to end', once(child, 'exit'))) as [number];
    assert.equal(code, 1);
    // Its engines would keep the pipe open.
    assert.match((await within('its engines to end', said)).join('').trim(), sentence);
  }
  await rm(folder, { recursive: true });
});
