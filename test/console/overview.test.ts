import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { freePort } from '#harness/free-port';
import { openStream, send } from '#harness/http-client';
import { ask, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import { Visitor } from './visitor.ts';

test('the overview tells what engines did, who waits and what was slow, and the history outlives the process', async () => {
  const port = await freePort();
  await using service = await startService({
    settings: { listen: `127.0.0.1:${port}`, projects: [{ id: 'physics', name: 'Physics' }] },
    engine: { maxConcurrent: 1 },
  });
  const { gateway } = service;
  const begunAt = Date.now();
  const operator = await operatorOf(gateway);
  const address = `${service.proxy}/chat/completions`;
  const question = (words: string, key = service.key) => ({
    method: 'POST',
    headers: { authorization: `bearer ${key}`, 'content-type': 'application/json' },
    body: { model: 'beta-4-scout', stream: true, messages: ask(words) },
  });

  assert.equal((await send(address, question('sim:slow=1100 hello'))).status, 200);
  assert.equal((await send(address, question('sim:status=500 sim:shape=nested'))).status, 502);
  const physicist = await gateway.createKey({ email: 'p@example.org', project: 'physics' });
  const held = await openStream(address, question('sim:frames=100000 sim:every=20'));
  await waitUntil('it runs', async () => (await overview()).line.running === 1 || undefined);
  const waits = send(address, question('hello', physicist.secret));

  const busy = await waitUntil('somebody waits', async () => {
    const seen = await overview();
    const [first] = seen.engines;
    const isSeen = seen.line.waiting > 0 && first!.outputTokensPerSecond > 0 && first!.cacheUse !== null;
    return isSeen ? seen : undefined;
  });
  assert.deepEqual(busy.line.projects, [{ id: 'physics', name: 'Physics', waiting: 1 }]);
  const [engineA, engineB] = busy.engines;
  assert.equal(engineA!.inFlight, 1);
  assert.equal(engineA!.waiting, 1);
  assert.equal(engineA!.failures, 1);
  assert.ok(engineA!.lastGenerationAt! >= begunAt);
  assert.equal(engineB!.lastGenerationAt, null, 'our own probes are nobody’s answers');
  assert.equal(busy.engines[0]!.cacheUse, 0.1);
  const slowest = busy.slowest[0]!;
  assert.ok(slowest.model === 'beta-4-scout' && slowest.firstByteMs! >= 1100);
  assert.ok(busy.disk.freeBytes > 0 && busy.disk.usedByServiceBytes > 0);
  assert.equal(busy.backup, null);
  const scraped = await (await fetch(gateway.metricsUrl)).text();
  assert.match(scraped, /gatehouse_requests_waiting_by_project\{project="physics"\} 1/);
  assert.match(scraped, /gatehouse_engine_cache_usage_ratio\{engine="engine-a"\} 0\.1/);
  assert.equal((await send(`${gateway.url}/status.json`)).status, 401);
  assert.equal((await operator.raw('GET', '/status.json')).status, 200);
  const said = await gateway.command('status');
  assert.match(said.stdout, /is ready\. 1 running, 1 waiting \(1 of physics\)/);
  assert.match(said.stdout, /engine-a +in service +1 +1/);

  const test = 'POST /console/administration/engines/:engineName/test';
  const asked = { engineName: 'engine-a', body: { modelId: 'beta-4-scout' } };
  const trial = await operator.ok(test, asked);
  assert.ok(trial.isWell && trial.text.length > 0 && trial.tookMs >= 0, 'past the line, which is full');
  await operator.refused(test, 400, 'invalid_parameter', { ...asked, body: { modelId: 'alpha-R1' } });
  service.engineB.control.everyGeneration = 'sim:status=500 sim:shape=html';
  const failed = await operator.ok(test, { engineName: 'engine-b', body: { modelId: 'alpha-R1' } });
  assert.ok(!failed.isWell && failed.text.startsWith('It answered 500'));
  held.leave();
  assert.equal((await waits).status, 200);
  await gateway.command('backup', `${gateway.dataDir}/kept.backup`);
  assert.ok((await overview()).backup!.bytes > 0);
  gateway.signal('SIGTERM');
  await gateway.exited;
  // Another service has taken its place, from another folder.
  const stranger = createServer((_request, response) =>
    response.end('{"service":{"version":"9","publicUrl":null}}'),
  );
  stranger.listen(Number(new URL(gateway.url).port), '127.0.0.1');
  await once(stranger, 'listening');
  after(() => stranger.close());
  const later = await gateway.command('status', '--json').catch((failed: { stdout: string }) => failed);
  const report = JSON.parse(later.stdout) as StatusReport;
  assert.deepEqual([report.service, report.strangerUrl], [undefined, gateway.url]);
  const beta = report.models.find(({ model }) => model === 'beta-4-scout')!;
  assert.deepEqual([beta.day.requests, beta.day.failures], [4, 1]);
  assert.deepEqual([beta.month.requests, beta.month.failures], [4, 1]);
  assert.ok(beta.day.firstTokenMs! > 0 && beta.day.upPart! > 0);

  function overview() {
    return operator.ok('GET /console/administration/overview');
  }
});

interface StatusReport {
  readonly service?: unknown;
  readonly strangerUrl?: string;
  readonly models: readonly { model: string; day: Period; month: Period }[];
}

interface Period {
  readonly requests: number;
  readonly failures: number;
  readonly upPart?: number;
  readonly firstTokenMs?: number;
}

async function operatorOf(gateway: { readonly url: string; logs(): string }): Promise<Visitor> {
  const link = await waitUntil('the first start prints a link', () =>
    Promise.resolve(/#link=(\S+)/.exec(gateway.logs())?.[1]),
  );
  const visitor = new Visitor(gateway.url);
  await visitor.ok('POST /console/sign-in/link', { body: { token: decodeURIComponent(link) } });
  return visitor;
}
