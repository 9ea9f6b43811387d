import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runProgram } from '#harness/system-programs';

const repository = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

/** In tenths; lower is better. A unit without any hardening has 96. */
const worstExposure = 20;

export function proveUnit(): void {
  test('systemd understands the units and finds the services well protected', (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-unit-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    const names = [
      'gatehouse.service',
      'gatehouse@8081.service',
      'gatehouse-backup.service',
      'gatehouse-backup.timer',
    ];
    const files = names.map((name) => join(folder, name));
    for (const name of names) {
      const unit = readFileSync(join(repository, 'deploy/systemd', name.replace('8081', '')), 'utf8');
      // The checker looks for the program itself.
      writeFileSync(join(folder, name), unit.replaceAll('/opt/gatehouse', repository));
    }
    const verified = runProgram('systemd-analyze', ['verify', '--man=no', ...files]);
    assert.equal(verified.status, 0, verified.output);
    assert.doesNotMatch(verified.output, /gatehouse/, 'no complaint, however small');

    for (const file of files.filter((name) => name.endsWith('.service'))) {
      const words = ['security', '--offline=true', '--no-pager', `--threshold=${worstExposure}`, file];
      const judged = runProgram('systemd-analyze', words);
      context.diagnostic(/Overall exposure level.*\d/.exec(judged.output)?.[0] ?? judged.output);
      assert.equal(judged.status, 0, judged.output);
    }
  });
}
