import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import { isAlive } from '#harness/is-alive';
import { ask, mark } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil, within } from '#harness/wait-until';

const engine = await startSimulatedEngine({ flavour: 'vllm', models: ['m'] });
const settings = {
  listen: '127.0.0.1:0',
  drain: '10m',
  engines: [{ name: 'one', kind: 'vllm', url: engine.url, maxConcurrent: 200 }],
  models: [{ id: 'm', engines: ['one'] }],
};
const gateway = await startGateway({ settings });
/** Processes that follow the first one. */
const successors: number[] = [];
after(async () => {
  for (const processId of successors.splice(0)) await end(processId);
  await gateway.stop();
  await engine.stop();
});

const url = `${gateway.url}/m/v1/chat/completions`;
const body = (words: string) => ({ model: 'm', stream: true, messages: ask(words) });

async function end(processId: number): Promise<void> {
  if (isAlive(processId)) process.kill(processId, 'SIGTERM');
  await waitUntil('the successor has ended', () => !isAlive(processId));
}

test('a new process that does not start changes nothing, and the reason is told', async () => {
  const { host: taken } = new URL(engine.url);
  await gateway.rewriteSettings({ ...settings, metricsListen: taken });
  const failed = await gateway.command('restart').catch((error: unknown) => error as { stderr: string });
  assert.match(failed.stderr, /^Not restarted, the service goes on as it was: .* is in use/);
  await gateway.rewriteSettings(settings);
  assert.equal((await send(url, { body: { ...body('hello'), stream: false } })).status, 200);
});

test('a restart under streams and callers loses none of them', async () => {
  const word = mark();
  // Two whose readers are cut off: they come back to the new process, to one answer that the old one is still writing,
  // and to one that it has written.
  const { secret } = await gateway.createKey({ email: 'ada@example.org' });
  const headers = { authorization: `Bearer ${secret}`, 'gatehouse-resume': '120' };
  const resumable = (words: string) =>
    openStream(`${gateway.url}/api/chat/completions`, { headers, body: body(words) });
  const cut = await resumable(`${word} sim:frames=100000 sim:every=20`);
  const written = await resumable('sim:frames=5');
  assert.equal(await written.ended, 'complete');
  await cut.untilFrames(3);
  cut.leave();
  const comeBack = (stream: typeof cut) =>
    openStream(`${gateway.url}/api/streams/${String(stream.headers['x-request-id'])}`, { headers });
  const streams = await Promise.all(
    Array.from({ length: 40 }, () =>
      openStream(url, { body: body(`${word} sim:frames=100000 sim:every=20`) }),
    ),
  );
  await Promise.all(streams.map((stream) => stream.untilFrames(2)));
  const over = new AbortController();
  after(() => over.abort());
  const seen = new Map<number, number>();
  const crowd = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) {
      const { status } = await send(url, { body: { ...body('hello'), stream: false } });
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
  });

  const { stdout } = await gateway.command('restart');
  const successor = Number(/^Process (\d+) serves/.exec(stdout)?.[1]);
  successors.push(successor);
  assert.ok(isAlive(successor) && successor !== gateway.pid, stdout);
  assert.ok(isAlive(gateway.pid), 'the old one still writes');
  const answered = seen.get(200) ?? 0;
  await waitUntil('the new one answers', () => (seen.get(200) ?? 0) > answered + 50);
  const rest = await comeBack(cut);
  assert.equal(rest.status, 200);
  await rest.untilFrames(5);
  assert.equal((await comeBack(written)).status, 200);
  for (const generation of engine.marked(word)) generation.isToldToFinish = true;
  assert.equal(await rest.ended, 'complete');
  assert.equal(rest.frames().at(-1), '[DONE]');
  assert.ok(rest.raw().toString().startsWith(cut.raw().toString().slice(0, 400)), 'from its first byte on');
  for (const stream of streams) {
    assert.equal(await stream.ended, 'complete');
    assert.equal(stream.frames().at(-1), '[DONE]');
  }
  assert.equal(await within('the old process to end', gateway.exited), 0);
  const again = await comeBack(written);
  assert.equal(await again.ended, 'complete', 'what it kept for its readers is with the new one');
  assert.equal(again.raw().toString(), written.raw().toString());
  const later = seen.get(200) ?? 0;
  await waitUntil('callers are served', () => (seen.get(200) ?? 0) > later + 20);
  over.abort();
  await Promise.all(crowd);
  assert.deepEqual([...seen.keys()], [200]);
  const records = () => gateway.usageRecords().filter(({ ending }) => ending === 'completed').length;
  const expected = 1 + 40 + 2 + (seen.get(200) ?? 0);
  await waitUntil(`all ${expected} are in the books`, () => records() === expected);
});

test('the new process can be restarted in its turn', async () => {
  const { stdout } = await gateway.command('restart');
  const [first] = successors;
  successors.push(Number(/^Process (\d+) serves/.exec(stdout)?.[1]));
  await waitUntil('the one before has ended', () => !isAlive(first));
  assert.equal((await send(url, { body: { ...body('hello'), stream: false } })).status, 200);
});

test('whoever stops the new process stops the one before too, whose answers have their time', async () => {
  const word = mark();
  const stream = await openStream(url, { body: body(`${word} sim:frames=100000 sim:every=20`) });
  await stream.untilFrames(2);
  const former = successors.at(-1)!;
  const { stdout } = await gateway.command('restart');
  const latter = Number(/^Process (\d+) serves/.exec(stdout)?.[1]);
  successors.push(latter);
  process.kill(latter, 'SIGTERM');
  await waitUntil(
    'nobody serves new callers',
    async () => (await send(url, { body: body('hello') })).status === 503,
  );
  assert.ok(isAlive(former) && isAlive(latter), 'both wait for the answer');
  for (const generation of engine.marked(word)) generation.isToldToFinish = true;
  assert.equal(await stream.ended, 'complete');
  await waitUntil('both have ended', () => !isAlive(former) && !isAlive(latter));
});
