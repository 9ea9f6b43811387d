import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createAccounting } from '#accounting';
import { createAccounts } from '#accounts';
import { createAudit } from '#audit';
import { openCommandRoom, type Spoken } from '#harness/command-room';
import { within } from '#harness/wait-until';
import { openStorage } from '#storage';
import type { Withdrawal } from '#vocabulary/caller';
import { systemClock } from '#vocabulary/clock';
import { plainAccounting, sampleOpening, sampleRecord } from '../accounting/sample-usage.ts';
import { silentLogger } from '#vocabulary/logger';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-keys-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
const launcher = fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url));

interface Invitation {
  readonly id: string;
  readonly email: string | null;
  readonly state: string;
  readonly projects: readonly string[];
}

const words = (line: string) => line.split(' ');

/** As people run it; the other tests run command after command in one process. */
function gatehouse(dataDir: string, ...args: string[]): Promise<Spoken> {
  const env = { PATH: process.env['PATH'], GATEHOUSE_DATA_DIR: dataDir };
  return new Promise((resolve) => {
    execFile(process.execPath, [launcher, ...args], { cwd: scratch, env }, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

const openRoom = (dataDir: string) => openCommandRoom({ GATEHOUSE_DATA_DIR: dataDir }, scratch);

test('a running server learns of keys made, replaced and revoked on the command line', async () => {
  const dataDir = join(scratch, 'running');
  const storage = openStorage({ dataDir, logger: silentLogger });
  const audit = createAudit({ store: storage.audit, clock: systemClock, logger: silentLogger });
  const { keyRing } = createAccounts({
    audit,
    keys: storage.keys,
    clock: systemClock,
    logger: silentLogger,
    keyPolicy: { maxKeysPerPerson: undefined, maxLifetimeMs: undefined },
  });
  await keyRing.start();
  const nextWithdrawal = () => new Promise<Withdrawal>((resolve) => keyRing.onWithdrawn(resolve));
  const known = async (secret: string) => {
    while (keyRing.find(secret) === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    return keyRing.find(secret)!;
  };

  const made = await gatehouse(
    dataDir,
    ...words('keys create --expires 30d --models alpha-R1,,beta-4-scout --networks 10.1.2.3/8'),
    '--name',
    'night run',
  );
  assert.equal(made.status, 0, made.stderr);
  assert.match(made.stdout, /^gh_\w{49}\n$/);
  assert.match(made.stderr, /operator@localhost was made/);
  assert.ok(!made.stderr.includes(made.stdout.trim()));
  const grant = await within('the new key', known(made.stdout.trim()));
  assert.deepEqual(
    [grant.name, grant.models, grant.permitsAddress('10.255.0.1'), grant.permitsAddress('192.0.2.1')],
    ['night run', ['alpha-R1', 'beta-4-scout'], true, false],
  );

  const rotated = await gatehouse(dataDir, 'keys', 'rotate', grant.keyId, '--overlap', '1h');
  const successor = await within('the successor', known(rotated.stdout.trim()));
  assert.deepEqual(successor.models, grant.models);
  assert.ok(keyRing.find(made.stdout.trim()), 'the old key works beside the new one');

  const withdrawal = nextWithdrawal();
  const revoked = await gatehouse(dataDir, 'keys', 'revoke', made.stdout.slice(0, 9));
  assert.equal(revoked.status, 0, revoked.stderr);
  assert.deepEqual(await within('the withdrawal', withdrawal), { kind: 'key', keyId: grant.keyId });
  assert.equal(keyRing.find(made.stdout.trim()), undefined);
  assert.ok(keyRing.find(rotated.stdout.trim()));

  const listed = await gatehouse(dataDir, 'keys', 'list');
  assert.match(listed.stdout, new RegExp(`${grant.keyId} .* night run .* revoked `));
  const json = await gatehouse(dataDir, 'keys', 'list', '--person', 'OPERATOR@localhost', '--json');
  assert.equal((JSON.parse(json.stdout) as unknown[]).length, 2);
  for (const { stdout } of [listed, json]) assert.doesNotMatch(stdout, /digest|[0-9a-f]{64}/);
  await keyRing.stop();
  await storage.close();
});

test('mistakes are explained and change nothing', async () => {
  await using room = openRoom(join(scratch, 'mistakes'));
  const cases: [string, number, RegExp][] = [
    ['keys', 2, /create, list, rotate or revoke/],
    ['keys create', 2, /--name NAME/],
    ['keys create --name x --expires soon', 2, /not a length of time/],
    ['keys create --name x --expires 2020-01-01', 1, /in the future/],
    ['keys create --name x --networks everywhere', 1, /is not a network/],
    ['keys create --name x --person nobody@example.org', 1, /no account/],
    ['keys revoke key_unknown', 1, /no such key/],
    ['usage --by moon', 2, /Choose one of key, project/],
    ['usage --since 2026-13-45', 2, /not a date/],
  ];
  const first = await room.say('keys', 'create', '--name', 'first');
  assert.match(first.stderr, /no database in .*mistakes; an empty one was made.*GATEHOUSE_DATA_DIR/);
  assert.doesNotMatch((await room.say('keys', 'list')).stderr, /empty/);
  const nowhere = await gatehouse('/proc/nowhere', 'keys', 'list');
  assert.match(nowhere.stderr, /data directory \/proc\/nowhere cannot be used/);
  await Promise.all(
    cases.map(async ([line, status, sentence]) => {
      const spoken = await room.say(...words(line));
      assert.equal(spoken.status, status, line);
      assert.equal(spoken.stdout, '');
      assert.match(spoken.stderr, sentence);
      assert.doesNotMatch(spoken.stderr, /\n {4}at /);
    }),
  );
  const listed = await room.say('keys', 'list', '--json');
  assert.equal((JSON.parse(listed.stdout) as unknown[]).length, 1);
});

test('usage adds up by every grouping, also while the journal is in use', async () => {
  const dataDir = join(scratch, 'usage');
  await using room = openRoom(dataDir);
  const storage = openStorage({ dataDir, logger: silentLogger });
  const accounting = createAccounting({
    ...plainAccounting,
    dataDir,
    applier: storage.usageApplier,
    logger: silentLogger,
  });
  const startedAt = Date.parse('2026-11-02T23:59:59Z');
  for (const [index, id] of ['a', 'b', 'c'].entries()) {
    void accounting.settle({ ...sampleRecord(id), startedAt: startedAt + index * 1_000 });
  }
  void accounting.settle({
    ...sampleRecord('d'),
    startedAt,
    door: 'direct',
    caller: { kind: 'network', cidr: '10.0.0.0/8', project: '=cmd("physics")' },
    project: '=cmd("physics")',
    ending: 'caller-left',
    usage: { inputTokens: 7, outputTokens: 3, cachedTokens: 0, reasoningTokens: 0, isEstimated: true },
  });
  void accounting.open(sampleOpening('running'));
  await accounting.flush();

  const since = ['--since', '2026-11-01', '--until', '2026-11-04'];
  const table = await room.say('usage', '--by', 'door', ...since);
  assert.match(table.stdout, /^proxy +3 +0 +750 +60 +9 +12 +0$/m);
  assert.match(table.stdout, /^direct +1 +1 +7 +3 +0 +0 +10$/m);
  assert.match(table.stdout, /^total +4 +1 +757 +63 +9 +12 +10$/m);
  assert.match(table.stdout, /Estimated tokens/);

  const days = await room.say('usage', '--by', 'day', '--json', ...since);
  const { rows } = JSON.parse(days.stdout) as { rows: { group: string; requests: number }[] };
  assert.deepEqual(
    rows.map(({ group, requests }) => [group, requests]),
    [
      ['2026-11-02', 2],
      ['2026-11-03', 2],
    ],
  );

  const csv = await room.say('usage', '--by', 'project', '--csv', ...since);
  assert.match(csv.stdout, /^"'=cmd\(""physics""\)","'=cmd\(""physics""\)",1,1,7,3,0,0,10\r$/m);
  for (const by of ['key', 'model', 'person'] as const) {
    const groups = await storage.usage.report({ by, since: startedAt, until: undefined });
    assert.equal(
      groups.reduce((sum, group) => sum + group.requests, 0),
      4,
      by,
    );
  }
  await accounting.close(10_000);
  await storage.close();
});

test('people are invited into projects, and removed with their keys once they are disabled', async () => {
  await using room = openRoom(join(scratch, 'people'));
  const say = (line: string) => room.say(...words(line));
  assert.equal((await say('projects create course')).status, 0);
  assert.equal((await say('people create ada@example.org')).status, 0);
  const wrong = await say('people invite new@example.org nobody --project course');
  assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
  const invited = await say('people invite new@example.org ada@example.org --project course');
  assert.match(invited.stdout, /^email,link\r\nnew@example\.org,http\S+\/invitation#\S+\r\n$/);
  assert.match(invited.stderr, /ada@example\.org has an account already and joined/);
  assert.equal((await say('keys create --name hers --user ada@example.org --project course')).status, 0);
  const [early, secretive, account, open] = await Promise.all([
    say('people remove ada@example.org'),
    say('people export ada@example.org chats'),
    say('people export ada@example.org account'),
    say('people invite --anybody --days 1'),
  ]);
  for (const refused of [early, secretive]) {
    assert.deepEqual([refused.status, refused.stdout], [1, '']);
    assert.match(refused.stderr, /gatehouse people disable/);
  }
  const told = JSON.parse(account.stdout) as { person: { email: string }; keys: { name: string }[] };
  assert.deepEqual([told.person.email, told.keys.map(({ name }) => name)], ['ada@example.org', ['hers']]);
  assert.doesNotMatch(account.stdout, /digest|[0-9a-f]{64}/i);
  assert.match(open.stdout, /^email,link\r\n,http\S+\/invitation#\S+\r\n$/);
  const invitations = JSON.parse((await say('people invitations --json')).stdout) as Invitation[];
  const described = invitations.map(({ email, state, projects }) => `${email} ${state} ${projects.join()}`);
  assert.deepEqual(new Set(described), new Set(['null open ', 'new@example.org open course']));
  const forAnybody = invitations.find(({ email }) => email === null)?.id ?? '';
  const [withdrawn] = await Promise.all([
    say(`people withdraw-invitation ${forAnybody}`),
    say('people disable ada@example.org'),
  ]);
  assert.equal(withdrawn.status, 0, withdrawn.stderr);
  const [again, chats] = await Promise.all([
    say(`people withdraw-invitation ${forAnybody}`),
    say('people export ada@example.org chats'),
  ]);
  assert.match(again.stderr, /no such open invitation/);
  assert.deepEqual((JSON.parse(chats.stdout) as { chats: unknown[] }).chats, []);
  assert.equal((await say('people remove ada@example.org')).status, 0);
  assert.doesNotMatch((await say('keys list')).stdout, /hers/);
  const trail = (await say('audit export')).stdout;
  for (const kind of ['invitation-created', 'invitation-revoked', 'person-exported', 'person-removed'])
    assert.match(trail, new RegExp(`"kind":"${kind}"`));
});

test('an operator offers a preset, changes it and takes it back, and the audit trail knows', async () => {
  await using room = openRoom(join(scratch, 'presets'));
  const put = await room.say(...words('presets put brief --model beta-4-scout --effort low'));
  assert.equal(put.status, 0);
  assert.match(put.stderr, /^\/brief is offered\.$/m);
  const parameters = '{"temperature":0.5}';
  const changed = await room.say(...words('presets put BRIEF --parameters'), parameters);
  assert.match(changed.stderr, /is changed/);
  const { stdout } = await room.say(...words('presets list --json'));
  const [preset] = JSON.parse(stdout) as { name: string; model: null; parameters: object }[];
  assert.deepEqual([preset?.model, preset?.parameters], [null, { temperature: 0.5 }]);
  const [unknown, empty] = await Promise.all([
    room.say(...words('presets put brief --model nobody')),
    room.say(...words('presets put brief')),
  ]);
  assert.match(unknown.stderr, /There is no model nobody\. Choose one of/);
  assert.match(empty.stderr, /would do nothing/);
  assert.equal((await room.say(...words('presets remove brief'))).status, 0);
  await room.say(...words('projects create genomics'));
  const inProject = words('presets put brief --model beta-4-scout --project genomics');
  assert.equal((await room.say(...inProject)).status, 0);
  const listed = await room.say(...words('presets list --json --project genomics'));
  const [own] = JSON.parse(listed.stdout) as { name: string; projectId: string }[];
  assert.deepEqual([own?.name, own?.projectId], ['brief', 'genomics']);
  assert.equal((await room.say(...words('presets list --json'))).stdout.trim(), '[]');
  assert.notEqual((await room.say(...words('presets list --project nowhere'))).status, 0);
  assert.equal((await room.say(...words('presets remove brief --project genomics'))).status, 0);
  const trail = await room.say('audit', 'export');
  const kinds = trail.stdout.match(/"preset-\w+"/g);
  assert.deepEqual(kinds, [
    '"preset-made"',
    '"preset-changed"',
    '"preset-removed"',
    '"preset-made"',
    '"preset-removed"',
  ]);
});
