import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { type ModelHub, openModelHub } from '#harness/model-hub';
import { tinyGguf } from '#harness/tiny-gguf';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { createModelFiles, type ModelFilesParts } from './model-files.ts';

const cleanUps: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Sound, and long enough to be cut in many places. */
const weights = Buffer.concat([tinyGguf(), Buffer.alloc(3_000_000, 'weights ')]);
const digest = createHash('sha256').update(weights).digest('hex');
const reference = 'hf:someone/some-model/quantised/model-q8.gguf@v1';

test('a file is pulled from the hub, checked, recorded and listed', async () => {
  const { hub, files, directory } = await openFolder({ token: 'hub-secret' });
  const [pulled] = await files.pull(reference);
  assert.equal(pulled?.isNew, true);
  assert.deepEqual(readFileSync(join(directory, 'model-q8.gguf')), weights);
  assert.equal(hub.requests[0]?.path, '/someone/some-model/resolve/v1/quantised/model-q8.gguf');

  const [entry] = await files.list();
  assert.equal(entry?.record?.sha256, digest);
  assert.equal(entry.record.source, reference);
  assert.deepEqual(visible(directory), ['model-q8.gguf', 'model-q8.gguf.json']);

  assert.deepEqual(
    hub.requests.map(({ host, headers }) => [host, headers.authorization]),
    [
      ['hub', 'Bearer hub-secret'],
      ['store', undefined],
    ],
  );
  const [again] = await files.pull(reference);
  assert.equal(again?.isNew, false);
  assert.equal(hub.requests.length, 2);

  await files.remove('model-q8.gguf');
  assert.deepEqual(visible(directory), []);
});

test('broken connections and busy servers cost no byte twice', async () => {
  const { hub, files, directory } = await openFolder();
  hub.plan.cutAfterBytes = 400_000;
  hub.plan.failures = { status: 503, times: 3 };
  await files.pull(reference);
  assert.deepEqual(readFileSync(join(directory, 'model-q8.gguf')), weights);
  assert.ok(hub.requests.filter(({ headers }) => headers.range !== undefined).length >= 7);
  assert.ok(hub.servedBytes() < weights.length * 1.5, `${hub.servedBytes()} bytes were sent`);
});

test('a pull that gave up is taken up again, unless the file has changed meanwhile', async () => {
  const { hub, files, directory } = await openFolder();
  await pullHalf(hub, files);
  hub.plan = { file: weights, etag: '"one"' };
  const before = hub.servedBytes();
  await files.pull(reference);
  assert.ok(hub.servedBytes() - before < weights.length);
  assert.deepEqual(readFileSync(join(directory, 'model-q8.gguf')), weights);

  await files.remove('model-q8.gguf');
  await pullHalf(hub, files);
  const changed = Buffer.concat([tinyGguf({ 'general.name': 'Changed' }), Buffer.alloc(2_000_000, 'x')]);
  hub.plan = { file: changed, etag: '"two"' };
  await files.pull(reference);
  assert.deepEqual(readFileSync(join(directory, 'model-q8.gguf')), changed);
});

test('wrong bytes never get the name of a model', async () => {
  const { hub, files, directory } = await openFolder();
  hub.plan.announcedDigest = '0'.repeat(64);
  await assert.rejects(files.pull(reference), problem(/SHA-256 is [0-9a-f]{64} instead of 0{64}/));
  hub.plan.announcedDigest = undefined;
  await assert.rejects(files.pull(reference, { sha256: 'f'.repeat(64) }), problem(/instead of f{64}/));
  hub.plan.file = Buffer.from('<!doctype html><title>Please sign in</title>');
  await assert.rejects(files.pull(reference), problem(/not usable: it is not a GGUF file/));
  hub.plan.file = tinyGguf().subarray(0, -1);
  await assert.rejects(files.pull(reference), problem(/bytes of the \d+ its header promises/));
  assert.deepEqual(visible(directory), []);
});

test('what does not fit is refused before it is fetched, or as soon as it grows too long', async () => {
  const { hub, files, directory } = await openFolder({ freeBytes: async () => 100e6 });
  await assert.rejects(files.pull(reference), problem(/0\.1 GB free and 0\.2 GB are needed/));
  assert.equal(readdirSync(directory).includes('model-q8.gguf'), false);

  const roomy = await openFolder();
  await assert.rejects(roomy.files.pull(reference, { maxBytes: 1e6 }), problem(/raise --max-size/));
  roomy.hub.plan.isWithoutLength = true;
  await assert.rejects(roomy.files.pull(reference, { maxBytes: 1e6 }), problem(/longer than the 1000000/));
  assert.ok(hub.servedBytes() <= weights.length);
});

test('two pulls of one file do not meet', async () => {
  const { hub, files, directory } = await openFolder();
  const gate = Promise.withResolvers<void>();
  hub.plan.gate = gate.promise;
  const first = files.pull(reference);
  await assert.rejects(files.pull(reference), problem(/is being pulled already/));
  gate.resolve();
  await first;
  assert.deepEqual(readFileSync(join(directory, 'model-q8.gguf')), weights);
});

test('redirects end, and never lead away from https', async () => {
  const { hub, files } = await openFolder();
  hub.plan.redirect = 'http://models.example.org/blob';
  await assert.rejects(files.pull(reference), problem(/not https/));
  hub.plan.redirect = `${hub.base}/again`;
  await assert.rejects(files.pull(reference), problem(/more than 8 times/));
  assert.equal(hub.requests.length, 10);
});

test('refusals of the server say what to do', async () => {
  const { hub, files } = await openFolder();
  hub.plan.failures = { status: 403, times: 1 };
  await assert.rejects(files.pull(reference), problem(/HF_TOKEN/));
  hub.plan.failures = { status: 404, times: 1 };
  await assert.rejects(files.pull(reference), problem(/nothing at .*Check the spelling/));
});

test('a model in several files is pulled, listed and removed as one', async () => {
  const { files, directory } = await openFolder();
  const pulled = await files.pull('hf:someone/big/big-00001-of-00003.gguf');
  assert.equal(pulled.length, 3);
  const [entry, ...others] = await files.list();
  assert.equal(others.length, 0);
  assert.equal(entry?.bytes, 3 * weights.length);
  await files.remove('big-00001-of-00003.gguf');
  assert.deepEqual(visible(directory), []);
});

test('files of this machine are copied, and nothing of another origin is overwritten unasked', async () => {
  const { files, directory } = await openFolder();
  const original = join(temporaryFolder(), 'mine.gguf');
  writeFileSync(original, weights);
  await files.pull(`file:${original}`);
  assert.deepEqual(readFileSync(join(directory, 'mine.gguf')), weights);
  await assert.rejects(files.pull(reference, { name: 'mine.gguf' }), problem(/--replace/));
  await files.pull(reference, { name: 'mine.gguf', mayReplace: true });
  assert.equal((await files.list())[0]?.record?.source, reference);
  await assert.rejects(files.pull('file:/nowhere/x.gguf'), problem(/cannot be read/));
});

test('hostile names become neither paths nor options', async () => {
  const { hub, files, directory } = await openFolder();
  const outside = join(directory, '..', 'outside.gguf');
  writeFileSync(outside, weights);
  const references = [
    'hf:../../outside.gguf',
    'hf:a/../outside.gguf',
    'hf:a/b/../../../outside.gguf',
    'hf:a/b/c.gguf@../../x',
    'hf:a/b/c%2f..%2foutside.gguf',
    `${hub.base}/..%2foutside.gguf`,
    `${hub.base}/.gguf`,
    'http://models.example.org/model.gguf',
    'https://name:word@models.example.org/model.gguf',
    'npm:--registry=x',
    'npm:git+https://example.org/x.git',
    'npm:../outside',
    'npm:name,',
    'ftp://example.org/model.gguf',
    'model.gguf',
    '',
  ];
  for (const hostile of references) await assert.rejects(files.pull(hostile), problem(/./), hostile);
  for (const name of ['../outside.gguf', 'a/b.gguf', '.gguf', 'x.txt', 'x.gguf\0', '-x.gguf'])
    await assert.rejects(files.pull(reference, { name }), problem(/ends in \.gguf/), name);
  await assert.rejects(files.remove('../outside.gguf'), problem(/no model file/));
  assert.ok(existsSync(outside));
  assert.equal(hub.requests.length, 0);
});

async function openFolder(options: { token?: string } & Partial<ModelFilesParts> = {}) {
  const hub = await openModelHub(weights);
  cleanUps.push(async () => hub[Symbol.asyncDispose]());
  const directory = join(temporaryFolder(), 'models');
  const files = createModelFiles({
    directory,
    hub: { base: hub.base, token: options.token },
    freeBytes: options.freeBytes,
    pause: () => Promise.resolve(),
  });
  return { hub, files, directory };
}

async function pullHalf(hub: ModelHub, files: ReturnType<typeof createModelFiles>): Promise<void> {
  hub.plan.cutAfterBytes = 1_500_000;
  const pulling = files.pull(reference, {
    onProgress(progress) {
      if (progress.phase === 'waiting') hub.plan.failures = { status: 502, times: 100 };
    },
  });
  await assert.rejects(pulling, problem(/could not be reached.*pull again to go on/));
}

/** Without the locks, which stay. */
function visible(directory: string): string[] {
  return readdirSync(directory).filter((name) => name !== '.locks');
}

function problem(pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof OperatorProblem, String(error));
    assert.match(error.message, pattern);
    return true;
  };
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gh-models-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
