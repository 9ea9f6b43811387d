import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openModelHub } from '#harness/model-hub';
import { tinyGguf } from '#harness/tiny-gguf';
import { waitUntil } from '#harness/wait-until';

const launcher = fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url));
const template = '{% if tools %}{{ tools }}{% endif %}{% if enable_thinking %}<think>{% endif %}';
const weights = Buffer.concat([
  tinyGguf({ 'tokenizer.chat_template': template, 'llama.context_length': 4096 }),
  Buffer.alloc(4_000_000, 'weights '),
]);
const digest = createHash('sha256').update(weights).digest('hex');
const reference = 'hf:someone/small/small-q8.gguf';

const cleanUps: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

test('a model is pulled, served by the settings that are shown, listed and removed', async () => {
  const { gatehouse, folder } = await openHouse();
  const pulled = await gatehouse('models', 'pull', reference, '--sha256', digest);
  assert.equal(pulled.status, 0, pulled.stderr);
  assert.match(pulled.stderr, /^pulling {2}\d+ % {2}.* of 4\.0 MB/);
  assert.ok(pulled.stdout.includes(digest));

  const [snippet] = /^engines:\n(?: .*\n| {2}.*\n|models:\n)+/m.exec(pulled.stdout) ?? [''];
  assert.match(snippet, /tools: true\n {4}reasoning: separate\n$/);
  writeFileSync(join(folder, 'gatehouse.yaml'), snippet);
  const settings = await gatehouse('settings');
  assert.equal(settings.status, 0, settings.stderr);
  assert.match(settings.stdout, /id: small-q8/);

  const listed = await gatehouse('models', 'list');
  for (const part of [
    'pocket-v2.gguf (built in)',
    digest,
    join(folder, 'data/models/small-q8.gguf'),
    reference,
  ])
    assert.ok(listed.stdout.includes(part), part);

  const unasked = await gatehouse('models', 'remove', 'small-q8.gguf');
  assert.equal(unasked.status, 2);
  assert.match(unasked.stderr, /--yes/);
  const removed = await gatehouse('models', 'remove', 'small-q8.gguf', '--yes');
  assert.equal(removed.status, 0, removed.stderr);
  assert.equal(existsSync(join(folder, 'data/models/small-q8.gguf')), false);
});

test('settings that wait for a model do not keep it from being pulled to where they look', async () => {
  const { gatehouse, folder } = await openHouse();
  writeFileSync(
    join(folder, 'gatehouse.yaml'),
    `dataDir: elsewhere
engines: [{ name: small, kind: embedded, modelFile: small-q8.gguf }]
models: [{ id: small, engines: [small] }]
`,
  );
  assert.equal((await gatehouse('settings')).status, 78);
  assert.equal((await gatehouse('models', 'pull', reference)).status, 0);
  assert.ok(existsSync(join(folder, 'elsewhere/models/small-q8.gguf')));
  assert.equal((await gatehouse('settings')).status, 0);
});

test('a pull that was killed goes on where it stopped', async () => {
  const { gatehouse, start, folder, hub } = await openHouse();
  hub.plan.cutAfterBytes = 1_000_000;
  const first = start('models', 'pull', reference);
  const part = join(folder, 'data/models/small-q8.gguf.part');
  await waitUntil('some bytes are here', () => existsSync(part) && readFileSync(part).length >= 1_000_000);
  first.child.kill('SIGKILL');
  await first.ended;
  const servedBefore = hub.servedBytes();
  hub.plan.cutAfterBytes = undefined;
  const second = await gatehouse('models', 'pull', reference);
  assert.equal(second.status, 0, second.stderr);
  assert.ok(hub.servedBytes() - servedBefore <= weights.length - 1_000_000);
  assert.deepEqual(readFileSync(join(folder, 'data/models/small-q8.gguf')), weights);
});

test('what cannot be pulled or inspected is explained in one sentence', async () => {
  const { gatehouse, hub, folder } = await openHouse();
  hub.plan.announcedDigest = 'e'.repeat(64);
  const wrong = await gatehouse('models', 'pull', reference);
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /not the expected one/);
  assert.doesNotMatch(wrong.stderr, / at .*\.ts:/);
  writeFileSync(join(folder, 'broken.gguf'), weights.subarray(0, 300));
  const broken = await gatehouse('models', 'inspect', 'broken.gguf');
  assert.equal(broken.status, 1);
  assert.match(broken.stderr, /is broken: it /);
  assert.equal((await gatehouse('models', 'polish')).status, 2);
});

test('a file is described without being loaded', async () => {
  const { gatehouse } = await openHouse();
  const pocket = fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url));
  const seen = await gatehouse('models', 'inspect', pocket, '--slots', '2', '--context', '1024');
  assert.equal(seen.status, 0, seen.stderr);
  for (const part of ['qwen3, 10 layers', '32.5 million', 'Q8_0', 'tools, thinking, reasoning effort'])
    assert.ok(seen.stdout.includes(part), part);
  assert.match(seen.stdout, /for 2 requests at once with 1024 tokens each/);
});

async function openHouse() {
  const folder = mkdtempSync(join(tmpdir(), 'gh-models-command-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const hub = await openModelHub(weights);
  cleanUps.push(async () => hub[Symbol.asyncDispose]());
  const start = (...args: string[]) => {
    const env = { PATH: process.env['PATH'], HF_ENDPOINT: hub.base };
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const { promise: ended, resolve } = Promise.withResolvers<{
      status: number | null;
      stdout: string;
      stderr: string;
    }>();
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    return { child, ended };
  };
  return { folder, hub, start, gatehouse: (...args: string[]) => start(...args).ended };
}
