import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { send } from '#harness/http-client';
import { ask } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import type { StatusReport } from '#contract/status';

const name = 'beta-4-scout';

test('everybody reads how the models do, from what they do, and nothing that is nobody’s business', async () => {
  await using engine = await startSimulatedEngine({ flavour: 'vllm', models: ['org/beta'] });
  await using gateway = await startGateway({
    settings: {
      listen: '127.0.0.1:0',
      status: { readers: 'everybody' },
      engines: [{ name: 'secret-engine', kind: 'vllm', url: engine.url }],
      models: [{ id: name, path: 'beta', engines: [{ engine: 'secret-engine', model: 'org/beta' }] }],
    },
  });
  const read = async () => (await send(`${gateway.url}/status.json`)).json as unknown as StatusReport;
  const up = await waitUntil('it is seen to be well', async () => {
    const report = await read();
    return report.state === 'operational' ? report : undefined;
  });
  assert.equal(up.models[0]!.id, name);
  assert.equal(up.models[0]!.days.length, 90);

  const plain = await send(`${gateway.url}/status.json`);
  assert.match(String(plain.headers['cache-control']), /public/);
  assert.equal(plain.headers['access-control-allow-origin'], '*');
  assert.doesNotMatch(plain.text, /secret-engine|org\/beta|127\.0\.0\.1|requests|tokens/i);
  const again = await send(`${gateway.url}/status.json`, {
    headers: { 'if-none-match': String(plain.headers.etag) },
  });
  assert.equal(again.status, 304);

  const badge = await send(`${gateway.url}/status/badge.svg?model=${name}`);
  assert.equal(badge.headers['content-type'], 'image/svg+xml');
  assert.match(String(badge.headers['content-security-policy']), /sandbox/);
  assert.match(badge.text, />operational<\/text>/);
  assert.doesNotMatch(badge.text, /secret-engine/);
  assert.equal((await send(`${gateway.url}/status/badge.svg?model=other`)).status, 404);
  assert.equal((await send(`${gateway.url}/status.json`, { method: 'POST' })).status, 405);

  assert.equal((await send(`${gateway.url}/logo`)).status, 404);
  const drawing = join(gateway.dataDir, 'logo.svg');
  await writeFile(drawing, '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>');
  const hostileName = '<script>alert("x")</script> &';
  await gateway.command('appearance', 'set', '--logo', drawing, '--name', hostileName);
  const made = await gateway.command('announcements', 'make', 'Back at noon', '--until', '1h', '--stays');
  const words = ['--text', 'Back at one', '--until', 'never', '--no-stays', '--status-page'];
  await gateway.command('announcements', 'change', made.stdout.trim(), ...words);
  const logo = await waitUntil('the logo is there', async () => {
    const answer = await send(`${gateway.url}/logo?version=any`);
    return answer.status === 200 ? answer : undefined;
  });
  assert.match(String(logo.headers['content-security-policy']), /default-src 'none'; sandbox/);
  assert.equal(logo.headers['x-content-type-options'], 'nosniff');
  const named = await waitUntil(
    'the badge has the new name',
    async () => {
      const { text } = await send(`${gateway.url}/status/badge.svg`);
      return text.includes('script') ? text : undefined;
    },
    30_000,
  );
  assert.doesNotMatch(named, /<script/);

  const announced = await waitUntil('everybody is told', async () => {
    const { announcements } = await read();
    return announcements.length > 0 ? announcements : undefined;
  });
  assert.deepEqual(
    announced.map(({ text, kind }) => [text, kind]),
    [['Back at one', 'information']],
  );

  await engine.stop();
  await send(`${gateway.url}/beta/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: { model: name, messages: ask('hello') },
  });
  await waitUntil('it is seen to be out', async () => (await read()).state === 'outage' || undefined);
});

test('the path of the report belongs to nobody else', async () => {
  const models = [{ id: 'm', path: 'status.json', engines: [{ engine: 'pocket', model: 'm' }] }];
  await assert.rejects(startGateway({ settings: { listen: '127.0.0.1:0', models } }), /status\.json/);
});
