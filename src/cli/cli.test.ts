import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { ConsoleRoutes } from '#contract/routes';
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
  assert.match(option.stderr, /no option --shema. Did you mean --schema\?\nSee: gatehouse settings --help/);
  const missing = gatehouse(['keys', 'create', '--name']);
  assert.equal(missing.status, 2);
  assert.match(missing.stderr, /^--name needs a value\./);
});

test('an option that another action of the command takes is refused, not left unheeded', () => {
  const never = new Map([
    ['people create ada@example.org --project genomics', '--project'],
    ['keys rotate gh_abcdef --expires 1d', '--expires'],
    ['keys revoke gh_abcdef --person=ada@example.org', '--person'],
    ['projects drop genomics ada@example.org --lead', '--lead'],
    ['usage drift --by key', '--by'],
  ]);
  for (const [line, option] of never) {
    const { status, stdout, stderr } = gatehouse(line.split(' '));
    assert.deepEqual([status, stdout], [2, ''], line);
    const [command, action] = line.split(' ');
    assert.ok(stderr.startsWith(`gatehouse ${command} ${action} does not take ${option}. It takes`), stderr);
  }
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

type AdministratorRoute = {
  [Name in keyof ConsoleRoutes]: ConsoleRoutes[Name]['access'] extends 'administrator' ? Name : never;
}[keyof ConsoleRoutes];

/** The compiler asks for a line here when administrators get something new to do on the web. */
const commandsFor: Readonly<Record<AdministratorRoute, string>> = {
  'GET /console/administration/overview': 'status',
  'GET /console/administration/history': 'status',
  'GET /console/administration/engines': 'status',
  'POST /console/administration/engines/:engineName/test': 'catalogue try',
  'GET /console/administration/catalogue': 'catalogue list',
  'POST /console/administration/catalogue': 'catalogue add',
  'PUT /console/administration/catalogue': 'catalogue change',
  'DELETE /console/administration/catalogue': 'catalogue remove',
  'POST /console/administration/catalogue/try': 'catalogue try',
  'GET /console/administration/usage': 'usage',
  'GET /console/administration/usage.csv': 'usage',
  'GET /console/administration/usage/drift': 'usage drift',
  'GET /console/administration/feedback': 'feedback',
  'GET /console/administration/feedback/export': 'feedback',
  'GET /console/administration/people': 'people list',
  'GET /console/administration/people/:personId': 'people list',
  'GET /console/administration/people/:personId/standing': 'limits show',
  'PATCH /console/administration/people/:personId': 'people disable',
  'DELETE /console/administration/people/:personId': 'people remove',
  'GET /console/administration/people/:personId/export': 'people export',
  'POST /console/administration/people/:personId/sign-out': 'people sign-out',
  'POST /console/administration/people/:personId/sign-in-link': 'people sign-in-link',
  'GET /console/administration/people/:personId/keys': 'keys list',
  'DELETE /console/administration/people/:personId/keys': 'people revoke-keys',
  'DELETE /console/administration/people/:personId/keys/:keyId': 'keys revoke',
  'GET /console/administration/keys': 'keys list',
  'POST /console/administration/keys/revoke': 'keys revoke',
  'GET /console/administration/invitations': 'people invitations',
  'POST /console/administration/invitations': 'people invite',
  'POST /console/administration/invitations/many': 'people invite',
  'DELETE /console/administration/invitations/:invitationId': 'people withdraw-invitation',
  'GET /console/administration/projects': 'projects list',
  'POST /console/administration/projects': 'projects create',
  'PATCH /console/administration/projects/:projectId': 'projects change',
  'DELETE /console/administration/projects/:projectId': 'projects remove',
  'GET /console/administration/limits': 'limits show',
  'PUT /console/administration/limits': 'limits set',
  'POST /console/administration/presets': 'presets put',
  'PUT /console/administration/presets/:presetId': 'presets put',
  'DELETE /console/administration/presets/:presetId': 'presets remove',
  'GET /console/administration/announcements': 'announcements list',
  'POST /console/administration/announcements': 'announcements make',
  'PATCH /console/administration/announcements/:announcementId': 'announcements change',
  'DELETE /console/administration/announcements/:announcementId': 'announcements remove',
  'GET /console/administration/incidents': 'incidents list',
  'POST /console/administration/incidents': 'incidents open',
  'POST /console/administration/incidents/:incidentId/updates': 'incidents update',
  'DELETE /console/administration/incidents/:incidentId': 'incidents remove',
  'PATCH /console/administration/appearance': 'appearance set',
  'PUT /console/administration/appearance/logo': 'appearance set',
  'DELETE /console/administration/appearance/logo': 'appearance set',
  'GET /console/administration/audit': 'audit export',
  'GET /console/administration/audit.jsonl': 'audit export',
  'GET /console/administration/audit/verdict': 'audit verify',
  'GET /console/administration/settings': 'settings',
};

test('what administrators do on the web is done by commands too: operate.md names them, and each is there', () => {
  const text = readFileSync(new URL('../../docs/operate.md', import.meta.url), 'utf8');
  for (const [route, words] of Object.entries(commandsFor))
    assert.ok(text.includes(`\`gatehouse ${words}`), `${route}: ${words}`);

  const named = [...text.matchAll(/`gatehouse ([a-z-]+)(?: ([a-z-]+))?/g)];
  for (const [words, name, action] of named) {
    const usage = commands.find((command) => command.name === name)?.usage ?? '';
    assert.ok(usage.includes(`gatehouse ${name}`), words);
    if (action !== undefined && /^[a-z]/.test(action))
      assert.match(usage, new RegExp(`gatehouse ${name} (\\[?[a-z]+ \\| )?${action}\\b`), words);
  }
});
