import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runProgram } from './programs.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

/** In tenths; lower is better. A unit without any hardening has 96. */
const worstExposure = 20;

export function proveUnit(): void {
  test('systemd understands the unit and finds it well protected', (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-unit-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    const unit = readFileSync(join(repository, 'deploy/systemd/gatehouse.service'), 'utf8');
    const file = join(folder, 'gatehouse.service');
    // The checker looks for the program itself.
    writeFileSync(file, unit.replaceAll('/opt/gatehouse', repository));
    const verified = runProgram('systemd-analyze', ['verify', '--man=no', file]);
    assert.equal(verified.status, 0, verified.output);
    assert.doesNotMatch(verified.output, /gatehouse\.service/, 'no complaint, however small');

    const words = ['security', '--offline=true', '--no-pager', `--threshold=${worstExposure}`, file];
    const judged = runProgram('systemd-analyze', words);
    context.diagnostic(/Overall exposure level.*/.exec(judged.output)?.[0] ?? judged.output);
    assert.equal(judged.status, 0, judged.output);
  });
}
