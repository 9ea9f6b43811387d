import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly os?: readonly string[];
}

const home = new URL('../../', import.meta.url);
const read = (file: string) =>
  JSON.parse(readFileSync(new URL(file, home), 'utf8')) as Record<string, unknown>;
const locked = Object.entries(read('package-lock.json')['packages'] as Record<string, LockedPackage>);

test('whatever can be installed is known by its digest', () => {
  const ofOthers = locked.filter(([path, { link }]) => path.includes('node_modules/') && link !== true);
  assert.ok(ofOthers.length > 300);
  // What is bundled came inside a package that has one; what belongs to no system is not installed.
  const unknown = ofOthers.filter(
    ([, one]) => one.integrity === undefined && one.inBundle !== true && one.os?.[0] !== 'none',
  );
  assert.deepEqual(unknown, []);
});

test('native code is installed only where its digest is known', () => {
  const kept = locked.filter(([path, { os }]) => path.includes('@node-llama-cpp/') && os?.[0] !== 'none');
  assert.deepEqual(kept.map(([path]) => path.replace(/.*\//, '')).toSorted(), ['linux-arm64', 'linux-x64']);
});

test('one command lists what the service is made of', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
    cwd: home,
    maxBuffer: 64 * 1024 ** 2,
  });
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string;
    components: { name: string }[];
  };
  assert.equal(bomFormat, 'CycloneDX');
  const names = new Set(components.map(({ name }) => name));
  for (const name of Object.keys(read('package.json')['dependencies'] as object))
    assert.ok(names.has(name), name);
});
