import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPackageRegistry, packTarball, type PackageFiles } from '#harness/package-registry';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { installGpuPackages, type PinnedPackage, planGpuPackages } from './gpu-packages.ts';

test('the packages fit the machine and the version of the library', async () => {
  const plan = await planGpuPackages('cuda', { platform: 'linux', architecture: 'x64' });
  assert.deepEqual(
    plan.packages.map(({ name }) => name),
    ['@node-llama-cpp/linux-x64-cuda', '@node-llama-cpp/linux-x64-cuda-ext'],
  );
  const library = JSON.parse(
    readFileSync(join(plan.directory, 'node-llama-cpp', 'package.json'), 'utf8'),
  ) as object;
  assert.deepEqual(library, { ...library, version: plan.version });
  await assert.rejects(
    planGpuPackages('cuda', { platform: 'linux', architecture: 'arm64' }),
    OperatorProblem,
  );
  await assert.rejects(
    planGpuPackages('vulkan', { platform: 'darwin', architecture: 'arm64' }),
    /darwin-arm64 whose digests are known/,
  );
});

test('packages replace what was there, whole, and never write beside themselves', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'gh-gpu-'));
  const good = { 'bins/engine.node': 'native code', 'dist/index.js': 'export {};' };
  const evil = { '../../outside.txt': 'outside', 'dist/index.js': 'export {};' };
  await using registry = await openPackageRegistry({ '@gpu/good': good, '@gpu/evil': evil });
  process.env['npm_config_registry'] = registry.url;
  process.env['npm_config_cache'] = join(directory, 'cache');
  try {
    mkdirSync(join(directory, '@gpu/good'), { recursive: true });
    writeFileSync(join(directory, '@gpu/good/old.txt'), 'old');
    await installGpuPackages(
      { packages: [pinned('@gpu/good', good)], version: '1.0.0', directory },
      () => {},
    );
    assert.equal(readFileSync(join(directory, '@gpu/good/bins/engine.node'), 'utf8'), 'native code');
    assert.equal(existsSync(join(directory, '@gpu/good/old.txt')), false);
    // The registry vouches for another archive than the one we know.
    const other = pinned('@gpu/good', { ...good, 'bins/engine.node': 'other code' });
    await assert.rejects(
      installGpuPackages({ packages: [other], version: '1.0.0', directory }, () => {}),
      /not the package that this version/,
    );
    assert.equal(readFileSync(join(directory, '@gpu/good/bins/engine.node'), 'utf8'), 'native code');
    await assert.rejects(
      installGpuPackages({ packages: [pinned('@gpu/evil', evil)], version: '1.0.0', directory }, () => {}),
      /outside of itself/,
    );
    assert.equal(existsSync(join(directory, 'outside.txt')), false);
    assert.equal(existsSync(join(directory, '@gpu/evil')), false);
  } finally {
    delete process.env['npm_config_registry'];
    delete process.env['npm_config_cache'];
    rmSync(directory, { recursive: true, force: true });
  }
});

function pinned(name: string, files: PackageFiles): PinnedPackage {
  const digest = createHash('sha512').update(packTarball(name, files)).digest('base64');
  return { name, integrity: `sha512-${digest}` };
}
