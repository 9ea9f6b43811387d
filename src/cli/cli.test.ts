import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { commands } from './commands.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
after(() => rmSync(folder, { recursive: true }));
const launcher = fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url));

function gatehouse(args: string[], environment: NodeJS.ProcessEnv = {}) {
  const env = { PATH: process.env['PATH'], ...environment };
  return spawnSync(process.execPath, [launcher, ...args], { cwd: folder, env, encoding: 'utf8' });
}

test('help names every command, and every command explains itself', () => {
  const overview = gatehouse([]);
  assert.equal(overview.status, 0);
  for (const { name, summary, usage } of commands) {
    assert.ok(overview.stdout.includes(`  ${name}`) && overview.stdout.includes(summary), name);
    assert.ok(usage.startsWith(`Usage: gatehouse ${name}`), name);
  }
  const asked = gatehouse(['help', 'settings']);
  assert.equal(asked.stdout, gatehouse(['settings', '--help']).stdout);
  assert.match(gatehouse(['--version']).stdout, /^\d+\.\d+\.\d+\n$/);
});

test('a mistyped command or option says what to do and ends with status 2', () => {
  const mistyped = gatehouse(['setings']);
  assert.deepEqual([mistyped.status, mistyped.stdout], [2, '']);
  assert.match(mistyped.stderr, /no command "setings".\nDid you mean: gatehouse settings/);
  const option = gatehouse(['settings', '--shema']);
  assert.equal(option.status, 2);
  assert.match(option.stderr, /--shema[^]*See: gatehouse settings --help/);
});

test('settings prints a file that could be used as it stands, without the secrets', () => {
  const shown = gatehouse(['settings'], {
    PORT: '9999',
    GATEHOUSE_ADMIN_EMAIL: 'a@example.org',
    GATEHOUSE_ADMIN_PASSWORD: 'open-sesame',
  });
  assert.equal(shown.status, 0, shown.stderr);
  assert.match(shown.stdout, /^listen: 127\.0\.0\.1:9999 # environment PORT$/m);
  assert.doesNotMatch(shown.stdout, /open-sesame/);
  const { models } = parse(shown.stdout) as { models: { id: string }[] };
  assert.deepEqual(
    models.map(({ id }) => id),
    ['alpha-R1', 'beta-4-scout', 'gamma-oss-120b'],
  );

  assert.match(shown.stdout, /adminPassword: "\*+" # environment GATEHOUSE_ADMIN_PASSWORD/);
  writeFileSync(join(folder, 'again.yaml'), gatehouse(['settings'], { PORT: '9999' }).stdout);
  const again = gatehouse(['settings', '--settings', 'again.yaml']);
  assert.equal(again.status, 0, again.stderr);
  assert.match(again.stdout, /^listen: 127\.0\.0\.1:9999 # again\.yaml:1$/m);
});

test('settings with mistakes prints them all and ends with status 78', () => {
  writeFileSync(join(folder, 'wrong.yaml'), 'drain: soon\nlitsen: 1\n');
  const wrong = gatehouse(['settings', '--settings', 'wrong.yaml']);
  assert.deepEqual([wrong.status, wrong.stdout], [78, '']);
  assert.match(
    wrong.stderr,
    /2 mistakes:\n {2}wrong\.yaml:1:8 {2}drain\n[^]*wrong\.yaml:2:1 {2}litsen\n.*mean listen\?/,
  );
});
