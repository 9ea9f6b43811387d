import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { create } from 'tar';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { tarEntries } from './tar-entries.ts';

test('an archive that ends too early or makes no sense is told, and nobody waits for the rest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gh-tar-'));
  const archive = join(folder, 'whole.tgz');
  const weights = Buffer.from(Array.from({ length: 100_000 }, (_unused, index) => (index * index) % 251));
  writeFileSync(join(folder, 'weights.bin'), weights);
  try {
    await create({ gzip: true, file: archive, cwd: folder }, ['weights.bin']);
    assert.deepEqual(await readAll(archive), new Map([['weights.bin', weights]]));
    const whole = readFileSync(archive);
    for (const bytes of [whole.subarray(0, whole.length / 2), Buffer.from('not an archive'.repeat(100))]) {
      writeFileSync(join(folder, 'broken.tgz'), bytes);
      await assert.rejects(readAll(join(folder, 'broken.tgz')), OperatorProblem);
    }
    await assert.rejects(readAll(join(folder, 'nowhere.tgz')), OperatorProblem);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function readAll(path: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for await (const { name, content } of tarEntries(path))
    files.set(name, Buffer.concat(await Array.fromAsync(content)));
  return files;
}
