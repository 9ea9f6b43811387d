import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPackageRegistry } from '#harness/package-registry';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { installGpuPackages, planGpuPackages } from './gpu-packages.ts';

test('the packages fit the machine and the version of the library', async () => {
  const plan = await planGpuPackages('cuda', { platform: 'linux', architecture: 'x64' });
  assert.deepEqual(plan.names, ['@node-llama-cpp/linux-x64-cuda', '@node-llama-cpp/linux-x64-cuda-ext']);
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
    /without further packages/,
  );
});

test('packages replace what was there, whole, and never write beside themselves', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'gh-gpu-'));
  await using registry = await openPackageRegistry({
    '@gpu/good': { 'bins/engine.node': 'native code', 'dist/index.js': 'export {};' },
    '@gpu/evil': { '../../outside.txt': 'outside', 'dist/index.js': 'export {};' },
  });
  process.env['npm_config_registry'] = registry.url;
  process.env['npm_config_cache'] = join(directory, 'cache');
  try {
    mkdirSync(join(directory, '@gpu/good'), { recursive: true });
    writeFileSync(join(directory, '@gpu/good/old.txt'), 'old');
    await installGpuPackages({ names: ['@gpu/good'], version: '1.0.0', directory }, () => {});
    assert.equal(readFileSync(join(directory, '@gpu/good/bins/engine.node'), 'utf8'), 'native code');
    assert.equal(existsSync(join(directory, '@gpu/good/old.txt')), false);
    await assert.rejects(
      installGpuPackages({ names: ['@gpu/evil'], version: '1.0.0', directory }, () => {}),
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
