import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fastCheck from 'fast-check';
import { tinyGguf } from '#harness/tiny-gguf';
import { checkModelFile } from './check-model-file.ts';
import { inspectModelFile } from './inspect-model-file.ts';
import { HeaderIsLonger, parseGguf } from './parse-gguf.ts';
import { UnsoundGguf } from './unsound-gguf.ts';

const pocket = fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url));

test('the pocket model is described as its card describes it', async () => {
  const seen = await inspectModelFile(pocket, { slots: 8 });
  assert.equal(seen.architecture, 'qwen3');
  assert.equal(seen.parameters, 32_517_888);
  assert.equal(seen.quantisation, 'Q8_0');
  assert.equal(seen.contextTokens, 2048);
  assert.equal(seen.layers, 10);
  assert.equal(seen.vocabularySize, 12_288);
  assert.deepEqual(seen.template, { knowsTools: true, knowsThinking: true, knowsReasoningEffort: true });
  // Ten layers, two heads of 64 keys and 64 values, two bytes each.
  assert.equal(seen.memory.cacheBytes, 10 * 2 * 128 * 2 * 2048 * 8);
  assert.equal(seen.memory.weightBytes, 34_585_600);
});

test('a file that was cut anywhere is not sound, and the whole one is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gh-gguf-'));
  const path = join(folder, 'cut.gguf');
  const whole = tinyGguf();
  for (let length = 0; length <= whole.length; length += 13) {
    writeFileSync(path, whole.subarray(0, length));
    assert.equal((await checkModelFile(path)).isSound, false, `cut after ${length} of ${whole.length} bytes`);
  }
  writeFileSync(path, whole);
  assert.deepEqual(await checkModelFile(path), { isSound: true, fileBytes: whole.length });
  rmSync(folder, { recursive: true });
});

test('a hostile header is refused, whatever it says', () => {
  const sound = tinyGguf();
  fastCheck.assert(
    fastCheck.property(
      fastCheck.array(
        fastCheck.record({
          at: fastCheck.nat(sound.length - 9),
          value: fastCheck.bigInt(0n, 2n ** 64n - 1n),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      (changes) => {
        const bytes = Buffer.from(sound);
        for (const { at, value } of changes) bytes.writeBigUInt64LE(value, at);
        try {
          parseGguf(bytes);
        } catch (error) {
          assert.ok(error instanceof UnsoundGguf || error instanceof HeaderIsLonger, String(error));
        }
      },
    ),
    { numRuns: 3000 },
  );
});
