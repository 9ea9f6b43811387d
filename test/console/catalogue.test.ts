import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { freePort } from '#harness/free-port';
import { openStream, send } from '#harness/http-client';
import { ask, startService, type Service } from '#harness/service';
import { startSimulatedEngine, type SimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import { Visitor } from './visitor.ts';

const add = 'POST /console/administration/catalogue';
const change = 'PUT /console/administration/catalogue';
const remove = 'DELETE /console/administration/catalogue';
const tryIt = 'POST /console/administration/catalogue/try';
const secret = 'between-two-machines';
const mask = '********';

let service: Service;
let engine: SimulatedEngine;
let operator: Visitor;

before(async () => {
  engine = await startSimulatedEngine({ flavour: 'vllm', models: ['org/delta'] });
  service = await startService();
  const link = await waitUntil('the first start prints a link', () =>
    Promise.resolve(/#link=(\S+)/.exec(service.gateway.logs())?.[1]),
  );
  operator = new Visitor(service.gateway.url);
  await operator.ok('POST /console/sign-in/link', { body: { token: decodeURIComponent(link) } });
});

after(async () => {
  await service[Symbol.asyncDispose]();
  await engine.stop();
});

const gpu = () => ({ name: 'gpu-3', kind: 'vllm', url: engine.url, credential: secret });
const delta = { id: 'team/Delta', path: 'delta', engines: [{ engine: 'gpu-3', model: 'org/delta' }] };
const managedFile = () => join(service.gateway.dataDir, 'managed.yaml');

/** Of the last generation; other things are asked of an engine too. */
const lastCredential = () =>
  engine.requests.findLast(({ url }) => url.endsWith('/chat/completions'))?.headers['authorization'];

function question(words = 'hello') {
  return {
    method: 'POST',
    headers: { authorization: `bearer ${service.key}`, 'content-type': 'application/json' },
    body: { model: 'team/Delta', stream: true, messages: ask(words) },
  };
}

async function entries(list: 'engines' | 'models') {
  const catalogue = await operator.ok('GET /console/administration/catalogue');
  return catalogue[list].map(({ name, origin }) => `${name} ${origin}`);
}

test('what would be a mistake in the settings file is refused by its field, and nothing is kept', async () => {
  const wrong: readonly [object, string][] = [
    [{ name: 'no blanks' }, 'name'],
    [{ kind: 'abacus' }, 'kind'],
    [{ url: 'ftp://engine' }, 'url'],
    [{ maxConcurrent: 0 }, 'maxConcurrent'],
    [{ sockett: '/run/x' }, 'sockett'],
    [{ credentialFile: '/etc/passwd' }, 'credentialFile'],
    [{ credential: '${HOME}' }, 'credential'],
    [{ url: undefined, socket: '/run/docker.sock' }, 'socket'],
    [{ kind: 'embedded', url: undefined, credential: undefined, modelFile: '../../etc/passwd' }, 'modelFile'],
    [{ kind: 'embedded', url: undefined, credential: undefined, modelFile: 'absent.gguf' }, 'modelFile'],
  ];
  for (const [flaw, param] of wrong) {
    const answer = await operator.call(add, { body: { list: 'engines', entry: { ...gpu(), ...flaw } } });
    assert.equal(answer.status, 400, answer.text);
    assert.equal((answer.body as { error: { param: string } }).error.param, param, answer.text);
    assert.ok(!answer.text.includes(secret));
  }
  await operator.refused(add, 400, 'invalid_parameter', { body: { list: 'models', entry: delta } });
  await operator.refused(add, 409, 'conflict', {
    body: { list: 'engines', entry: { ...gpu(), name: 'engine-a' } },
  });
  await operator.refused(remove, 409, 'conflict', { query: { list: 'models', name: 'ALPHA-r1' } });
  await operator.refused(change, 404, 'not_found', {
    body: { list: 'engines', name: 'gpu-3', entry: gpu() },
  });
  assert.deepEqual(await entries('engines'), ['engine-a settings-file', 'engine-b settings-file']);
  assert.ok(!existsSync(managedFile()));
});

test('an engine and a model made on the web serve at once, and their credential is seen by nobody again', async () => {
  await operator.ok(add, { body: { list: 'engines', entry: gpu() } });
  await operator.ok(add, { body: { list: 'models', entry: delta } });
  assert.equal((await send(`${service.proxy}/chat/completions`, question())).status, 200);
  assert.equal(statSync(managedFile()).mode & 0o777, 0o600);
  assert.match(readFileSync(managedFile(), 'utf8'), new RegExp(secret));

  await operator.refused(add, 400, 'invalid_parameter', { body: { list: 'engines', entry: gpu() } });
  const masked = { ...gpu(), credential: mask };
  await operator.refused(change, 400, 'invalid_parameter', {
    body: { list: 'engines', name: 'gpu-3', entry: { ...masked, url: 'http://127.0.0.1:9' } },
  });
  await operator.ok(change, {
    body: { list: 'engines', name: 'gpu-3', entry: { ...masked, maxConcurrent: 7 } },
  });
  assert.match(readFileSync(managedFile(), 'utf8'), new RegExp(secret));
  const seen = await Promise.all([
    operator.ok('GET /console/administration/catalogue'),
    operator.ok('GET /console/administration/engines'),
    operator.ok('GET /console/administration/settings'),
    operator.ok('GET /console/administration/audit', { query: { limit: 50 } }),
    service.gateway.command('catalogue', 'list', '--json'),
  ]);
  assert.ok(!JSON.stringify(seen).includes(secret));
  const [, { engines }, { settings }, audit] = seen;
  assert.equal(engines.find(({ name }) => name === 'gpu-3')?.maxConcurrent, 7);
  assert.ok(settings.some(({ value, source }) => value === 'gpu-3' && source.includes('managed.yaml')));
  const kinds = audit.entries.map(({ kind, by }) => `${kind} ${by.kind}`);
  for (const kind of ['engine-added', 'model-added', 'engine-changed'])
    assert.ok(kinds.includes(`${kind} person`), kinds.join());
});

test('what is in the form is tried before anything is kept, with the checks of keeping it', async () => {
  const before = readFileSync(managedFile(), 'utf8');
  const drafted = { ...gpu(), name: 'gpu-4' };
  const first = await operator.ok(tryIt, { body: { list: 'engines', entry: drafted } });
  assert.ok(first.isWell && first.text.length > 0, first.text);
  assert.deepEqual([first.engine, first.upstreamModel], ['gpu-4', 'org/delta']);
  assert.equal(lastCredential(), `Bearer ${secret}`);
  const absent = { list: 'engines' as const, entry: drafted, upstreamModel: 'org/absent' };
  assert.ok(!(await operator.ok(tryIt, { body: absent })).isWell);
  engine.control.everyGeneration = 'sim:status=501';
  const vectors = await operator.ok(tryIt, { body: { list: 'engines', entry: drafted } });
  engine.control.everyGeneration = '';
  assert.match(vectors.text, /^It makes vectors of \d+ numbers\.$/);
  assert.ok(vectors.isWell);
  const nowhere = { ...drafted, url: `http://127.0.0.1:${await freePort()}` };
  const unreachable = await operator.ok(tryIt, { body: { list: 'engines', entry: nowhere } });
  assert.deepEqual([unreachable.isWell, unreachable.text], [false, 'ECONNREFUSED']);

  const known = { list: 'engines' as const, name: 'gpu-3' };
  const masked = { ...gpu(), credential: mask };
  assert.ok((await operator.ok(tryIt, { body: { ...known, entry: masked } })).isWell);
  assert.equal(lastCredential(), `Bearer ${secret}`);
  await operator.refused(tryIt, 400, 'invalid_parameter', {
    body: { ...known, entry: { ...masked, url: nowhere.url } },
  });
  for (const flaw of [
    { url: 'ftp://engine' },
    { url: undefined, socket: '/run/docker.sock' },
    { name: 'no blanks' },
  ])
    await operator.refused(tryIt, 400, 'invalid_parameter', {
      body: { list: 'engines', entry: { ...drafted, ...flaw } },
    });
  const model = { ...delta, id: 'team/Draft', path: 'draft' };
  const asked = await operator.ok(tryIt, { body: { list: 'models', entry: model } });
  assert.ok(asked.isWell && asked.engine === 'gpu-3', asked.text);
  const wrong = { ...model, engines: [{ engine: 'gpu-3', model: 'org/absent' }] };
  assert.ok(!(await operator.ok(tryIt, { body: { list: 'models', entry: wrong } })).isWell);

  assert.equal(readFileSync(managedFile(), 'utf8'), before);
  assert.ok(!(await entries('engines')).some((entry) => entry.startsWith('gpu-4')));
  const { entries: audited } = await operator.ok('GET /console/administration/audit', {
    query: { limit: 50 },
  });
  const tests = audited.filter(({ kind }) => kind === 'engine-tested');
  assert.ok(tests.length >= 6 && tests.every(({ detail }) => detail['isKept'] === false));
  assert.ok(!JSON.stringify(tests).includes(secret));
});

test('commands know what was made on the web, and ask it a real question before anything is kept', async () => {
  const { command } = service.gateway;
  const failing = (...words: readonly string[]) =>
    command(...words).then(
      () => assert.fail(`gatehouse ${words.join(' ')} did not fail`),
      ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ stdout, stderr }),
    );
  const named = ['--model', 'team/Delta'];
  // Nothing answers at port 0, so this one ends with 1 and says what the books know.
  const [told] = await Promise.all([
    failing('status', '--json'),
    command('presets', 'put', 'short', ...named),
    command('projects', 'create', 'lab', '--models', 'team/Delta,alpha-R1'),
    command('incidents', 'open', 'Slow', 'It is slow today.', ...named),
  ]);
  assert.match(told.stdout, /"model": "team\/Delta"/);
  const lab = await waitUntil('the server knows the project', async () => {
    const { projects } = await operator.ok('GET /console/administration/projects');
    return projects.find(({ id }) => id === 'lab');
  });
  assert.deepEqual(lab.models, ['team/Delta', 'alpha-R1']);
  const [{ presets }, { incidents }] = await Promise.all([
    operator.ok('GET /console/presets'),
    operator.ok('GET /console/administration/incidents'),
  ]);
  assert.equal(presets.find(({ name }) => name === 'short')?.model, 'team/Delta');
  assert.deepEqual(incidents[0]?.models, ['team/Delta']);

  const before = readFileSync(managedFile(), 'utf8');
  engine.requests.length = 0;
  const answers = await Promise.all([
    command('catalogue', 'try', 'engine', 'gpu-3'),
    command('catalogue', 'try', 'engine', JSON.stringify({ ...gpu(), credential: mask })),
    command('catalogue', 'try', 'model', JSON.stringify({ ...delta, id: 'team/Draft', path: 'draft' })),
  ]);
  for (const { stdout, stderr } of answers) {
    assert.match(stderr, /^gpu-3, asked for \S+, answered in \d+ ms:$/m);
    assert.ok(stdout.trim().length > 0);
  }
  const asked = engine.requests.filter(({ url }) => url.endsWith('/chat/completions'));
  assert.ok(asked.length >= answers.length);
  assert.ok(asked.every(({ headers }) => headers['authorization'] === `Bearer ${secret}`));

  const nowhere = { ...gpu(), name: 'gpu-5', url: `http://127.0.0.1:${await freePort()}` };
  const failures = await Promise.all([
    failing('catalogue', 'try', 'engine', JSON.stringify(nowhere)),
    failing('catalogue', 'try', 'engine', 'gpu-3', '--model', 'alpha-R1'),
    failing('catalogue', 'add', 'engine', JSON.stringify({ ...nowhere, maxConcurent: 8 })),
  ]);
  const sentences = [
    /ECONNREFUSED/,
    /does not serve such a model/,
    /^maxConcurent: There is no setting of this name\. Did you mean maxConcurrent/,
  ];
  for (const [index, { stdout, stderr }] of failures.entries()) {
    assert.match(`${stdout}${stderr}`, sentences[index] ?? /^$/);
    assert.ok(!`${stdout}${stderr}`.includes(secret));
  }
  assert.equal(readFileSync(managedFile(), 'utf8'), before);
});

test('a backup holds it and tells nobody, and restoring brings it back', async () => {
  const { dataDir, command } = service.gateway;
  const file = join(dataDir, 'kept.backup');
  const told = await command('backup', file, '--json');
  assert.ok(!`${told.stdout}${told.stderr}`.includes(secret));
  await command('restore', file, '--data-dir', join(dataDir, 'elsewhere'));
  const restored = join(dataDir, 'elsewhere', 'managed.yaml');
  assert.equal(readFileSync(restored, 'utf8'), readFileSync(managedFile(), 'utf8'));
  assert.equal(statSync(restored).mode & 0o777, 0o600);
});

test('it outlives a restart, the settings file wins over it, and what is removed lets its answers end', async () => {
  const { gateway, settings } = service;
  gateway.signal('SIGTERM');
  await gateway.exited;
  await using again = await startGateway({ settings, dataDir: gateway.dataDir });
  const { cookies, csrfToken } = operator;
  operator = new Visitor(again.url);
  operator.csrfToken = csrfToken;
  for (const [name, value] of cookies) operator.cookies.set(name, value);
  const address = `${again.url}/api/chat/completions`;
  assert.equal((await send(address, question())).status, 200);

  const written = { name: 'gpu-3', kind: 'vllm', url: engine.url };
  await again.rewriteSettings({ ...settings, engines: [...settings.engines, written] });
  assert.ok((await entries('engines')).includes('gpu-3 settings-file'));
  await operator.refused(change, 409, 'conflict', { body: { list: 'engines', name: 'gpu-3', entry: gpu() } });
  await again.rewriteSettings(settings);
  assert.ok((await entries('engines')).includes('gpu-3 here'));

  const renamed = { ...delta, id: 'team/delta-2', path: 'delta-2' };
  await again.command('catalogue', 'add', 'model', JSON.stringify(renamed));
  const other = { ...question(), body: { ...question().body, model: 'team/delta-2' } };
  await waitUntil('the server has seen it', async () => (await send(address, other)).status === 200);
  const twice = again.command('catalogue', 'add', 'model', JSON.stringify(renamed));
  await assert.rejects(twice, /already taken by the model team\/delta-2/);

  const running = await openStream(address, question('sim:frames=60 sim:every=30'));
  await operator.refused(remove, 409, 'conflict', { query: { list: 'engines', name: 'gpu-3' } });
  for (const name of ['team/delta-2', 'TEAM/delta'])
    await operator.ok(remove, { query: { list: 'models', name } });
  await operator.ok(remove, { query: { list: 'engines', name: 'gpu-3' } });
  assert.equal((await send(address, question())).status, 404);
  assert.equal(await running.ended, 'complete');
  assert.equal(running.frames().at(-1), '[DONE]');
  assert.ok(running.frames().length >= 60);
});
