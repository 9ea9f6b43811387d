import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openCommandRoom } from '#harness/command-room';
import { openStream, send } from '#harness/http-client';
import { ask, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';

/** Projects and limits made on the command line, beside a running gateway. */
const service = await startService({
  engine: { maxConcurrent: 8 },
  settings: {
    projects: [
      { id: 'written', groups: ['staff'] },
      { id: 'ward', models: ['beta-4-scout'] },
    ],
    directNetworks: ['127.0.0.0/8', { cidr: '127.0.0.7/32', project: 'ward' }],
  },
});
after(() => service[Symbol.asyncDispose]());
const { gateway } = service;
const url = `${service.proxy}/chat/completions`;
for (const name of ['lead', 'student', 'other'])
  await gateway.createKey({ name, email: `${name}@example.org` });

const room = openCommandRoom({
  GATEHOUSE_SETTINGS: gateway.settingsFile,
  GATEHOUSE_DATA_DIR: gateway.dataDir,
});
after(() => room[Symbol.asyncDispose]());

async function run(line: string) {
  const spoken = await room.say(...line.split(' '));
  assert.equal(spoken.status, 0, spoken.stderr);
  return spoken;
}

async function refused(line: string, pattern: RegExp, status = 1): Promise<void> {
  const spoken = await room.say(...line.split(' '));
  assert.match(spoken.stderr, pattern, line);
  assert.equal(spoken.status, status, line);
}

async function callerIn(project: string, email: string) {
  const { stdout } = await run(`keys create --name night --person ${email} --project ${project}`);
  const headers = { authorization: `bearer ${stdout.trim()}` };
  const body = (words: string, extra: object) => ({ model: 'beta-4-scout', messages: ask(words), ...extra });
  return {
    ask: (extra: object = {}) => send(url, { headers, body: body('hello', extra) }),
    stream: (words: string) => openStream(url, { headers, body: body(words, { stream: true }) }),
  };
}

test('a project is made, joined, changed and removed on the command line, and a running server follows', async () => {
  await run('projects create genomics --name Genomics --weight 3 --models beta-4-scout --group lab');
  await refused(
    'keys create --name early --person student@example.org --project genomics',
    /student@example.org is not a member of the project genomics/,
  );
  await run('projects add genomics lead@example.org --lead');
  await run('projects add genomics student@example.org');
  const caller = await callerIn('genomics', 'student@example.org');
  assert.equal((await caller.ask()).status, 200);
  const other = await caller.ask({ model: 'gamma-oss-120b' });
  assert.deepEqual([other.status, other.error.code], [403, 'model_not_permitted']);

  await run('projects change genomics --models all --ends 2099-12-31');
  await waitUntil(
    'all models count',
    async () => (await caller.ask({ model: 'gamma-oss-120b' })).status === 200,
  );
  const shown = JSON.parse((await run('projects show genomics --json')).stdout) as {
    weight: number;
    endsAt: number;
    groups: string[];
    members: { email: string; role: string }[];
  };
  assert.deepEqual(
    [shown.weight, new Date(shown.endsAt).toISOString(), shown.groups],
    [3, '2099-12-31T23:59:59.999Z', ['lab']],
  );
  assert.deepEqual(
    shown.members.map(({ email, role }) => `${email} ${role}`),
    ['lead@example.org lead', 'student@example.org member'],
  );

  await run('projects drop genomics student@example.org');
  await waitUntil('the member is out', async () => (await caller.ask()).status === 403);
  await run('projects remove genomics');
  assert.doesNotMatch((await run('projects list')).stdout, /genomics/);
  const { stdout } = await run('audit export');
  for (const kind of ['created', 'member-added', 'changed', 'member-removed', 'removed'])
    assert.match(stdout, new RegExp(`"project-${kind}"`));
});

test('a network without keys may use the models of its project and no others', async () => {
  const visit = (path: string, model: string, from: string) =>
    send(`${service.direct(path)}/chat/completions`, { from, body: { model, messages: ask('hello') } });
  const list = (path: string, from: string) =>
    send(`${service.direct(path)}/models`, { method: 'GET', from });
  const idsOf = ({ json }: Awaited<ReturnType<typeof list>>) =>
    (json as { data: { id: string }[] }).data.map(({ id }) => id);

  assert.equal((await visit('beta-4-scout', 'beta-4-scout', '127.0.0.7')).status, 200);
  assert.equal((await visit('engine-b', 'alpha-R1', '127.0.0.1')).status, 200);
  const other = await visit('engine-b', 'alpha-R1', '127.0.0.7');
  assert.deepEqual(
    [other.status, other.error.code, other.error.param],
    [403, 'model_not_permitted', 'model'],
  );
  assert.match(other.error.message, /project `ward` .* may not use `alpha-R1`. It may use: `beta-4-scout`/);
  assert.deepEqual(idsOf(await list('beta-4-scout', '127.0.0.7')), ['beta-4-scout']);
  assert.deepEqual(idsOf(await list('engine-b', '127.0.0.7')), []);
  assert.deepEqual(idsOf(await list('engine-b', '127.0.0.1')), ['alpha-R1']);
});

test('what is wrong is refused with what is right, and projects of the settings file are changed there', async () => {
  await refused('projects create Bad_Id', /lower-case letters/);
  await refused('projects create everyone', /always there/);
  await refused('projects create a --weight 0', /from 0.01 to 1000/);
  await refused('projects create a --weight x', /from 0.01 to 1000/);
  await refused('projects create a --ends 2020-01-01', /in the future/);
  await refused('projects create a --models nothing', /no model `nothing`. Offered are: .*beta-4-scout/);
  await refused('projects create written', /settings file/);
  await refused('projects change written --weight 2', /settings file/);
  await refused('projects remove written', /settings file/);
  await refused('projects add everyone other@example.org', /Everybody is a member/);
  await refused('projects add written nobody@example.org', /Nobody here has this e-mail/);
  await refused('keys create --name a --person other@example.org --project none', /no such project/);
  await refused(
    'keys create --name a --models Beta-4-Scout',
    /no model `Beta-4-Scout`. Offered are: .*beta-4-scout/,
  );
  await refused('limits set --project none --requests-per-minute 1', /no such project/);
  await refused('limits set --key none --requests-per-minute 1', /no such key/);
  await refused('limits set --project written --requests-per-minute 1.5', /whole number/);
  await refused('limits set --project written --requests-per-minute -1', /needs a value/, 2);
  await refused('limits set --project written --model none --cost-per-day 1', /no model/);
  assert.equal((await run('limits show --json')).stdout, '[]\n');
});

test('a project that ends lets running answers finish', async () => {
  await run('projects create course');
  await run('projects add course student@example.org');
  const caller = await callerIn('course', 'student@example.org');
  const stream = await caller.stream('sim:frames=60 sim:every=100');
  await stream.untilFrames(1);
  await run('projects change course --ends 2020-01-31');
  await waitUntil('the project is over', async () => (await caller.ask()).error?.code === 'project_ended');
  assert.equal(await stream.ended, 'complete');
  assert.equal(stream.frames().at(-1), '[DONE]');
  assert.ok(stream.chunks().every(({ error }) => error === undefined));
  await refused('keys create --name late --person student@example.org --project course', /is over/);
});

test('a limit lowered while requests run binds the next ones, and taken back binds nobody', async () => {
  await run('projects create shared');
  await run('projects add shared student@example.org');
  await run('limits set --members-of shared --requests-at-once 3');
  const caller = await callerIn('shared', 'student@example.org');
  const streams = [await caller.stream('sim:frames=100000 sim:every=20')];
  streams.push(await caller.stream('sim:frames=100000 sim:every=20'));
  for (const stream of streams) await stream.untilFrames(1);
  await run('limits set --members-of shared --requests-at-once 1');
  await waitUntil('the limit counts', async () => (await caller.ask()).error?.code === 'rate_limit_exceeded');
  for (const stream of streams) {
    await stream.untilFrames(stream.frames().length + 10);
    stream.leave();
  }
  await waitUntil('one at once is still allowed', async () => (await caller.ask()).status === 200);

  await run('limits set --project shared --model beta-4-scout --cost-per-day 0');
  await waitUntil('no budget', async () => (await caller.ask()).error?.code === 'insufficient_quota');
  assert.equal((await caller.ask({ model: 'gamma-oss-120b' })).status, 200);
  await run('limits set --person lead@example.org --requests-per-minute 7');
  assert.match((await run('limits show')).stdout, /^person lead@example.org +all +7 /m);
  await run('limits clear --project shared --model beta-4-scout');
  await waitUntil('it is taken back', async () => (await caller.ask()).status === 200);
});

test('a budget counts what was running when it was given', async () => {
  await run('projects create sudden');
  await run('projects add sudden other@example.org');
  const caller = await callerIn('sudden', 'other@example.org');
  const stream = await caller.stream('sim:frames=100000 sim:every=1');
  await stream.untilFrames(1);
  await run('limits set --project sudden --cost-per-day 100000');
  // So much that it is refused as soon as anything is spent, and says what is left.
  const left = async () => {
    const { error } = await caller.ask({ max_tokens: 33_330 });
    return Number(/ (\d+) are left/.exec(error?.message ?? '')?.[1]);
  };
  const before = await waitUntil('the budget is known', async () => (await left()) || undefined);
  await stream.untilFrames(stream.frames().length + 20);
  stream.leave();
  await waitUntil('what was used is spent', async () => before - (await left()) >= 60);
});

test('a budget for one model counts what was spent before there was one', async () => {
  await run('projects create tight');
  await run('projects add tight other@example.org');
  const caller = await callerIn('tight', 'other@example.org');
  const short = { max_tokens: 5 };
  for (let turn = 0; turn < 12; turn++) assert.equal((await caller.ask(short)).status, 200);
  await waitUntil(
    'the books know',
    () => gateway.usageRecords().filter(({ project }) => project === 'tight').length === 12,
  );
  await run('limits set --project tight --model beta-4-scout --cost-per-day 100');
  await run('limits set --project tight --model gamma-oss-120b --requests-per-minute 1000');
  await waitUntil('both limits are known', async () => {
    const { headers } = await caller.ask({ ...short, model: 'gamma-oss-120b' });
    return headers['x-ratelimit-limit-requests'] === '1000';
  });
  // The books are read a moment later. Three further requests would fit into the budget, were it new.
  const codes = [await caller.ask(short), await caller.ask(short), await caller.ask(short)].map(
    ({ status }) => status,
  );
  assert.equal(codes.at(-1), 429, codes.join(' '));
  const shown = JSON.parse((await run('limits show --project tight --json')).stdout) as Shown[];
  const budget = shown.find(({ limit }) => limit === 'costPerDay');
  assert.ok(budget?.used && budget.used > 0 && budget.renewsAt?.endsWith('T00:00:00.000Z'));
  assert.equal(budget.left, Math.max(0, 100 - budget.used));
  assert.equal(shown.find(({ limit }) => limit === 'requestsPerMinute')?.used, null);
  const table = (await run('limits show --person other@example.org')).stdout;
  assert.match(table, /^project tight +beta-4-scout +cost per day +100 +[\d.]+ +[\d.]+ +\d{4}-/m);
  await refused('limits show --key none', /no such key/);
});

interface Shown {
  readonly limit: string;
  readonly used: number | null;
  readonly left: number | null;
  readonly renewsAt: string | null;
}
