import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadSettings, SettingsMistakes } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-settings-'));
after(() => rmSync(folder, { recursive: true }));

function load(yaml: string, environment: NodeJS.ProcessEnv = {}) {
  const file = join(folder, 'gatehouse.yaml');
  writeFileSync(file, yaml);
  return loadSettings({ file, environment, workingDirectory: folder });
}

/** `place knob: problem remedy`, one per mistake. */
function mistakesOf(yaml: string, environment: NodeJS.ProcessEnv = {}): string[] {
  try {
    load(yaml, environment);
  } catch (error) {
    assert.ok(error instanceof SettingsMistakes, String(error));
    return error.mistakes.map((it) => `${it.place} ${it.knob}: ${it.problem} ${it.remedy}`);
  }
  return [];
}

test('without a file the three models of the contract are served from the built-in engine', () => {
  const { settings, sources } = loadSettings({ environment: {}, workingDirectory: folder });
  assert.deepEqual(settings.listen, { host: '127.0.0.1', port: 8080 });
  assert.equal(settings.dataDir, join(folder, 'data'));
  assert.deepEqual(
    settings.catalogue.models.map((model) => [
      model.id,
      model.path,
      model.supportsTools,
      model.supportsReasoningEffort,
      model.reasoning,
    ]),
    [
      ['alpha-R1', 'engine-b', false, false, 'think-tags'],
      ['beta-4-scout', 'beta-4-scout', true, false, 'none'],
      ['gamma-oss-120b', 'gamma-oss-120b', true, true, 'separate'],
    ],
  );
  assert.deepEqual(settings.catalogue.directNetworks, [
    { cidr: '127.0.0.0/8', project: undefined },
    { cidr: '::1/128', project: undefined },
  ]);
  assert.equal(sources.get('listen'), 'default');
});

test('a whole file is read, and every knob knows who set it', () => {
  writeFileSync(join(folder, 'credential'), 'from-a-file\n');
  const { settings, sources, shown } = load(
    `
listen: 0.0.0.0:80
limits: { maxBody: 1MiB, engineSilence: off, waitingLine: { maxWait: 1.5s } }
engines:
  - { name: gpu-1, kind: vllm, url: "http://10.0.0.5:8000/v1/", credential: "\${GPU_SECRET}", maxConcurrent: 64 }
  - { name: gpu-2, kind: sglang, socket: run/engine.sock, credentialFile: credential }
models:
  - id: maker/Big-Model
    path: big
    aliases: [big-model]
    engines: [gpu-1, { engine: gpu-2, model: served-name, reasoning: inline }]
    reasoning: separate
  - { id: small, engines: [pocket] }
directNetworks: [10.0.0.0/8, { cidr: "fd00::/8", project: physics }]
`,
    {
      PORT: '8443',
      GPU_SECRET: 'from-a-variable',
      GATEHOUSE_LOG_LEVEL: 'debug',
      GATEHOUSE_DIRECT_NETWORKS: '',
    },
  );
  assert.deepEqual(settings.listen, { host: '0.0.0.0', port: 8443 });
  assert.equal(settings.limits.maxBodyBytes, 1024 ** 2);
  assert.equal(settings.limits.engineSilenceMs, 0);
  assert.equal(settings.limits.waitingLine.maxWaitMs, 1500);
  assert.equal(settings.log.level, 'debug');
  const [first, second, pocket] = settings.catalogue.engines;
  assert.deepEqual(
    [first?.url, first?.credential, first?.maxConcurrent],
    ['http://10.0.0.5:8000', 'from-a-variable', 64],
  );
  assert.deepEqual(
    [second?.socketPath, second?.credential, second?.maxConcurrent],
    [join(folder, 'run/engine.sock'), 'from-a-file', 256],
  );
  assert.equal(pocket?.name, 'pocket');
  assert.deepEqual(settings.catalogue.models[0]?.replicas, [
    { engineName: 'gpu-1', upstreamModel: 'maker/Big-Model', upstreamReasoning: 'fields' },
    { engineName: 'gpu-2', upstreamModel: 'served-name', upstreamReasoning: 'inline' },
  ]);
  assert.deepEqual(settings.catalogue.directNetworks[1], { cidr: 'fd00::/8', project: 'physics' });
  assert.deepEqual(
    ['listen', 'limits.maxBody', 'models', 'log.level', 'drain'].map((knob) => sources.get(knob)),
    [
      'environment PORT',
      'gatehouse.yaml:3',
      'gatehouse.yaml:8',
      'environment GATEHOUSE_LOG_LEVEL',
      'default',
    ],
  );
  assert.doesNotMatch(JSON.stringify(shown), /from-a-/);
});

test('all mistakes are told together, each with its place and what would be right', () => {
  const found = mistakesOf(
    `listen: nowhere
limit: {}
limits:
  maxBdy: 3MiB
  headerTimeout: 15
engines:
  - { name: a, kind: vllm }
  - { name: A, kind: embeded, modelFile: none.gguf }
  - { name: c, kind: openai, url: "http://u:p@h", credential: "" }
models:
  - { id: one, path: API, engines: [aa] }
  - { id: ONE, path: other, engines: [], suggestions: [a, b, c, d, e] }
  - { id: a/b, engines: [a], surprise: 1 }
tls: { certificateFile: missing.pem }
directNetworks: [10.0.0.1/8, 010.0.0.0/8, "::ffff:10.0.0.0/104", "fe80::1%eth0", 1.2.3.4/33, { project: p }]
`,
    { GATEHOUSE_TRUSTED_PROXIES: 'everyone', GATEHOUSE_DATA_DUR: 'x', GATEHOUSE_API_KEY: 'mine' },
  );
  const expected = [
    /^gatehouse\.yaml:1:9 listen: .*host and port.*Write host and port/,
    /^gatehouse\.yaml:2:1 limit: There is no setting of this name\. Did you mean limits\?/,
    /^gatehouse\.yaml:4:3 limits\.maxBdy: .*Did you mean maxBody\?/,
    /^gatehouse\.yaml:5:18 limits\.headerTimeout: 15 does not fit\. Write a duration/,
    /^gatehouse\.yaml:7:5 engines\[0\]\.url: The engine has no address/,
    /^gatehouse\.yaml:8:22 engines\[1\]\.kind: "embeded" does not fit\. Write one of/,
    /^gatehouse\.yaml:9:35 engines\[2\]\.url: It must not hold a password/,
    /^gatehouse\.yaml:9:63 engines\[2\]\.credential: The secret is empty/,
    /^gatehouse\.yaml:11:16 models\[0\]\.path: The path "API" belongs to the service/,
    /^gatehouse\.yaml:11:37 models\[0\]\.engines\[0\]: There is no engine called "aa"\. Did you mean a\?/,
    /^gatehouse\.yaml:12:7 models\[1\]\.id: "ONE" is already taken by the model one/,
    /^gatehouse\.yaml:12:29 models\[1\]\.engines: The model has no engine/,
    /^gatehouse\.yaml:12:42 models\[1\]\.suggestions: There are 5 suggestions, .* room for 4/,
    /^gatehouse\.yaml:13:30 models\[2\]\.surprise: There is no setting/,
    /^gatehouse\.yaml:14:8 tls\.certificateFile: There is no file/,
    /^gatehouse\.yaml:15:18 directNetworks\[0\]\.cidr: .*names an address inside 10\.0\.0\.0\/8/,
    /directNetworks\[1\]\.cidr: "010.0.0.0\/8" is not an IPv4/,
    /directNetworks\[2\]\.cidr: .*write it as IPv4/,
    /directNetworks\[3\]\.cidr: .*is not an IPv4 or IPv6 network/,
    /directNetworks\[4\]\.cidr: .*no prefix length/,
    /directNetworks\[5\]\.cidr: It is missing/,
    /^environment GATEHOUSE_TRUSTED_PROXIES trustedProxies: "everyone" is not/,
    /^environment GATEHOUSE_DATA_DUR GATEHOUSE_DATA_DUR: .*Did you mean GATEHOUSE_DATA_DIR\?/,
  ];
  for (const pattern of expected)
    assert.ok(
      found.some((line) => pattern.test(line)),
      `${pattern}\n${found.join('\n')}`,
    );
  assert.equal(found.length, expected.length, found.join('\n'));
});

test('variables that clusters and clients set are left alone, a port in the wrong variable is not', () => {
  const strangers = {
    GATEHOUSE_PORT: 'tcp://10.0.0.1:80',
    GATEHOUSE_SERVICE_PORT: '80',
    GATEHOUSE_PORT_80_TCP_ADDR: '10.0.0.1',
    GATEHOUSE_KEY: 'gh_x',
    GATEHOUSE_READY_FILE: '/tmp/ready',
  };
  assert.deepEqual(mistakesOf('# nothing', strangers), []);
  assert.match(
    mistakesOf('# nothing', { GATEHOUSE_PORT: '8080' })[0] ?? '',
    /Write PORT, or GATEHOUSE_LISTEN/,
  );
});

test('broken YAML, doubled keys and a missing file are mistakes with a line, not crashes', () => {
  assert.match(mistakesOf('listen: [')[0] ?? '', /^gatehouse\.yaml:1:\d+ \(file\)/);
  assert.match(mistakesOf('drain: 1s\ndrain: 2s')[0] ?? '', /^gatehouse\.yaml:2:1 \(file\): .*unique/);
  assert.match(mistakesOf('just words')[0] ?? '', /not a group of settings/);
  assert.match(mistakesOf('a: &a { b: *a }')[0] ?? '', /no setting of this name/);
  assert.deepEqual(mistakesOf('# nothing'), []);
  assert.match(mistakesOf('\n')[0] ?? '', /The settings file is empty/);
  assert.throws(
    () => loadSettings({ file: 'absent.yaml', environment: {}, workingDirectory: folder }),
    /cannot be read \(ENOENT\)/,
  );
});

test('a secret that is empty, unset or half given refuses to start and is never repeated', () => {
  const provider = (secret: string) =>
    `signIn: { providers: [{ name: campus, issuer: "https://login.example.org", clientId: gatehouse, ${secret} }] }`;
  assert.match(mistakesOf(provider('clientSecret: ""'))[0] ?? '', /clientSecret: The secret is empty/);
  assert.match(mistakesOf(provider('clientSecret: "${ABSENT}"'))[0] ?? '', /variable ABSENT is not set/);
  assert.match(mistakesOf(provider('clientSecret: "${BLANK}"'), { BLANK: '' })[0] ?? '', /secret is empty/);
  const address = 'database: postgres://gatehouse:${DB_PASSWORD}@db/gatehouse';
  assert.equal(
    load(address, { DB_PASSWORD: 'p/w@d' }).settings.database,
    'postgres://gatehouse:p%2Fw%40d@db/gatehouse',
  );
  assert.match(mistakesOf(address)[0] ?? '', /variable DB_PASSWORD is not set/);
  assert.match(mistakesOf(provider('clientSecret: "********"'))[0] ?? '', /The secret is masked/);
  assert.match(mistakesOf(provider('clientSecretFile: absent'))[0] ?? '', /absent cannot be read/);
  assert.match(mistakesOf(provider('label: Campus'))[0] ?? '', /clientSecret: It is missing/);
  assert.match(mistakesOf(provider('clientSecret: a, clientSecretFile: b')).join(), /Both clientSecret and/);
  assert.match(
    mistakesOf('# nothing', { GATEHOUSE_ADMIN_PASSWORD: '' }).join(),
    /environment GATEHOUSE_ADMIN_PASSWORD signIn.adminPassword: The secret is empty/,
  );
  const { shown } = load('# nothing', {
    GATEHOUSE_ADMIN_EMAIL: 'a@b',
    GATEHOUSE_ADMIN_PASSWORD: 'open-sesame',
  });
  assert.doesNotMatch(JSON.stringify(shown), /open-sesame/);
  const short = mistakesOf('# nothing', {
    GATEHOUSE_ADMIN_EMAIL: 'a@b',
    GATEHOUSE_ADMIN_PASSWORD: 'tooshort',
  }).join();
  assert.match(short, /at least 10/);
  assert.doesNotMatch(short, /tooshort/);
});

test('what was made on the web stands behind the file, which wins, and hides no mistake of it', () => {
  const managedText =
    'engines: [{ name: g, kind: vllm, url: "http://h:1" }]\nmodels: [{ id: m, engines: [g] }]\n';
  const file = join(folder, 'gatehouse.yaml');
  const loadWith = (yaml: string) => {
    writeFileSync(file, yaml);
    return loadSettings({ file, environment: {}, workingDirectory: folder, managedText });
  };
  const alone = loadWith('engines: []\nmodels: []\n');
  assert.deepEqual(alone.origins, { engines: ['here'], models: ['here'] });
  assert.equal(alone.sources.get('models'), 'gatehouse.yaml:2 and managed.yaml');
  assert.deepEqual(loadWith('drain: 1s\n').origins.engines, ['built-in', 'here']);
  assert.deepEqual(loadWith('models: [{ id: M, engines: [pocket] }]\n').origins.models, ['settings-file']);
  assert.throws(() => loadWith('models: 3\n'), /It is not a list/);
  assert.throws(() => loadWith('- a\n'), /It is not a group of settings/);
});
