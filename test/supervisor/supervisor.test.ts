import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkModelFile, inspectModelFile } from '#engine/model-files';
import { isAlive } from '#harness/is-alive';
import { plainModel } from '#harness/plain-model';
import { writeTinyGguf } from '#harness/tiny-gguf';
import { waitUntil } from '#harness/wait-until';
import { createEngineSupervisor, type EngineSupervisor, type EngineSupervisorParts } from '#supervisor';
import type { EngineDefinition } from '#vocabulary/catalogue';
import { systemClock } from '#vocabulary/clock';
import type { EmbeddedEngineState, EmbeddedEngineStatus } from '#vocabulary/embedded-engine';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import type { FakeBehaviour } from './fake-child.ts';

const fakeProgram = fileURLToPath(new URL('./fake-child.ts', import.meta.url));
const cleanUps: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

test('an engine is started at boot, served under its profiles, and stopped without a trace', async () => {
  const house = openHouse({ behaviours: ['serve'] });
  const facts = await house.supervisor.whenReady('pocket');
  assert.equal(facts.slots, 4);
  assert.equal(facts.threads, 3);

  const [status] = house.supervisor.status();
  assert.equal(status?.state.kind, 'ready');
  assert.ok(Buffer.byteLength(status.socketPath) < 104);
  assert.equal(statSync(join(status.socketPath, '..')).mode & 0o777, 0o700);
  assert.deepEqual(
    house.launched.map(({ profiles }) => profiles.map(({ id }) => id)),
    [['alpha', 'beta']],
  );
  assert.ok(status.processId !== undefined && getPriority(status.processId) > getPriority());
  assert.equal(house.supervisor.withSockets([engine()])[0]?.socketPath, status.socketPath);

  await house.supervisor.stop();
  assert.equal(isAlive(status.processId), false);
  assert.equal(existsSync(status.socketPath), false);
  assert.equal(house.supervisor.status()[0]?.state.kind, 'stopped');
});

test('log lines of the child become ours, whatever it writes and however much', async () => {
  const house = openHouse({ behaviours: ['babble'] });
  await house.supervisor.whenReady('pocket');
  await house.supervisor.stop();
  assert.ok(house.logged.length < 300, `${house.logged.length} lines`);
  assert.ok(house.logged.every(({ message }) => message.length <= 8192));
  assert.ok(house.logged.some(({ fields }) => 'dropped' in fields));
  assert.ok(house.logged.every(({ fields }) => 'engine' in fields));
});

test('an engine on demand waits for the first request', async () => {
  const house = openHouse({ behaviours: ['serve'], start: 'demand' });
  assert.equal(house.supervisor.status()[0]?.state.kind, 'idle');
  assert.equal(house.launched.length, 0);
  assert.equal(house.supervisor.isIdle('pocket'), true);
  const [first, second] = await Promise.all([
    house.supervisor.whenReady('pocket'),
    house.supervisor.whenReady('pocket'),
  ]);
  assert.equal(first, second);
  assert.equal(house.launched.length, 1);
  assert.equal(house.supervisor.isIdle('pocket'), false);
});

test('a killed engine comes back on the same socket and says why it went', async () => {
  const house = openHouse({ behaviours: ['serve'] });
  await house.supervisor.whenReady('pocket');
  const before = house.supervisor.status()[0];
  const restarting = house.nextState('restarting');
  process.kill(before!.processId!, 'SIGKILL');
  const { state } = await restarting;
  assert.ok(state.kind === 'restarting');
  assert.match(state.reason, /signal SIGKILL.*out of memory/);
  await house.supervisor.whenReady('pocket');
  const after = house.supervisor.status()[0];
  assert.notEqual(after?.processId, before?.processId);
  assert.equal(after?.socketPath, before?.socketPath);
  assert.equal(after?.restarts, 1);
});

test('a crash loop slows down, ends as failed with the last words, and heals itself later', async () => {
  const house = openHouse({
    behaviours: ['crash', 'crash-when-ready', 'crash', 'crash', 'serve'],
    policy: { failuresUntilFailed: 4, failedRetryMs: 300 },
  });
  const states = house.collectStates();
  const { state } = await house.nextState('failed');
  assert.ok(state.kind === 'failed');
  assert.match(state.reason, /code 7.*out of luck/);
  await assert.rejects(house.supervisor.whenReady('pocket'), isUnavailable);
  await house.nextState('ready');
  const delays = states.flatMap((seen) => (seen.kind === 'restarting' ? [seen.afterMs] : []));
  assert.deepEqual(delays, [10, 20, 40]);
});

test('a graphics processor that nobody asked for and that does not work is left alone', async () => {
  const house = openHouse({ behaviours: ['crash-with-gpu'], gpu: 'auto' });
  await house.supervisor.whenReady('pocket');
  assert.deepEqual(
    house.launched.map(({ gpu }) => gpu),
    ['auto', 'auto', 'off'],
  );
  assert.ok(house.logged.some(({ message }) => message.includes('on the processor alone')));

  assert.ok(
    house.logged.some(({ message }) => message.endsWith('SIGABRT. Its last words: the device refuses')),
  );

  const insisting = openHouse({ behaviours: ['crash-with-gpu'], gpu: 'cuda' });
  await insisting.nextState('failed');
  assert.deepEqual(new Set(insisting.launched.map(({ gpu }) => gpu)), new Set(['cuda']));
});

test('an engine that never becomes ready is ended and started again', async () => {
  const house = openHouse({ behaviours: ['hang', 'serve'], policy: { startLimitMs: 1500 } });
  const { state } = await house.nextState('restarting');
  assert.ok(state.kind === 'restarting');
  assert.match(state.reason, /not ready within 1.5 s/);
  await waitUntil('it is started again', () => house.launched.length > 1);
});

test('an engine that outgrows its memory is ended and started again', async () => {
  const house = openHouse({
    behaviours: ['grow', 'serve'],
    policy: { memoryCheckMs: 20 },
    memoryLimitBytes: 300_000_000,
  });
  const { state } = await house.nextState('restarting');
  assert.ok(state.kind === 'restarting');
  assert.match(state.reason, /more than its limit of 300 MB/);
  await house.supervisor.whenReady('pocket');
  assert.ok((house.supervisor.status()[0]?.memoryBytes ?? 0) > 10_000_000);
});

test('an engine that lives but does not answer is ended and started again', async () => {
  const house = openHouse({
    behaviours: ['freeze', 'serve'],
    policy: { livenessCheckMs: 50, livenessStrikes: 2 },
  });
  const { state } = await house.nextState('restarting');
  assert.ok(state.kind === 'restarting');
  assert.match(state.reason, /stopped answering/);
  await house.supervisor.whenReady('pocket');
});

test('an engine that will not leave is made to', async () => {
  const house = openHouse({ behaviours: ['ignore-sigterm'], policy: { stopLimitMs: 200 } });
  await house.supervisor.whenReady('pocket');
  const processId = house.supervisor.status()[0]?.processId;
  const waiting = house.supervisor.stop();
  await waiting;
  assert.equal(isAlive(processId), false);
});

test('a missing or broken model file is explained, starts nothing, and is noticed once it is there', async () => {
  const house = openHouse({ behaviours: ['serve'], policy: { failedRetryMs: 50 }, withoutFile: true });
  const { state } = await house.nextState('failed');
  assert.ok(state.kind === 'failed');
  assert.match(state.reason, /no model file at .*tiny\.gguf.*models pull/);
  await assert.rejects(house.supervisor.whenReady('pocket'), isUnavailable);

  writeFileSync(house.modelFile, '<html>not a model</html>');
  const broken = await house.nextState('failed', /broken/);
  assert.ok(broken.state.kind === 'failed');
  assert.match(broken.state.reason, /is broken: it is not a GGUF file\. Fetch it again/);
  assert.equal(house.launched.length, 0);
  assert.equal(house.logged.filter(({ level }) => level === 'error').length, 2);

  writeTinyGguf(house.modelFile);
  await house.nextState('ready');
});

test('a reload touches only what changed', async () => {
  const house = openHouse({ behaviours: ['serve'], policy: { farewellMs: 1 } });
  const other = { ...engine(house.modelFile), name: 'other' };
  await house.supervisor.whenReady('pocket');
  const processId = house.supervisor.status()[0]?.processId;

  house.supervisor.apply([engine(house.modelFile), other], models);
  await house.supervisor.whenReady('other');
  assert.equal(house.supervisor.status()[0]?.processId, processId);

  house.supervisor.apply([{ ...engine(house.modelFile), maxConcurrent: 2 }], models);
  assert.equal((await house.supervisor.whenReady('pocket')).slots, 2, 'the new one, not the old one');
  assert.deepEqual(
    house.supervisor.status().map(({ name }) => name),
    ['pocket'],
  );
  await waitUntil('the old one is gone', () => !isAlive(processId));
  await assert.rejects(house.supervisor.whenReady('other'), isUnavailable);
});

test('what a running engine can change about itself is told to it, and needs no new process', async () => {
  const house = openHouse({ behaviours: ['serve'] });
  await house.supervisor.whenReady('pocket');
  const before = house.supervisor.status()[0];
  const definition = engine(house.modelFile, { memoryLimitBytes: 900_000_000 });
  house.supervisor.apply(
    [definition],
    models.map((model) => ({ ...model, samplingDefaults: { temperature: 0.25 } })),
  );
  await waitUntil('it is told', () =>
    house.logged.some(({ message }) => message.includes('"temperature":0.25')),
  );
  const after = house.supervisor.status()[0];
  assert.deepEqual(
    [after?.processId, after?.socketPath, after?.memoryLimitBytes],
    [before?.processId, before?.socketPath, 900_000_000],
  );
  assert.equal(house.launched.length, 1);
});

test('where the memory is not enough for two, the new engine waits until the old one has ended', async () => {
  const house = openHouse({
    behaviours: ['never-finish', 'serve'],
    policy: { farewellMs: 1, crowdedRetireLimitMs: 500 },
    availableMemory: 1_000_000,
  });
  await house.supervisor.whenReady('pocket');
  const processId = house.supervisor.status()[0]?.processId;
  const wasAlive = new Promise<boolean>((resolve) => {
    house.supervisor.onChange(({ state }) => {
      if (state.kind === 'starting') resolve(isAlive(processId));
    });
  });
  house.supervisor.apply([{ ...engine(house.modelFile), maxConcurrent: 2 }], models);
  assert.equal((await house.supervisor.whenReady('pocket')).slots, 2);
  assert.equal(await wasAlive, false);
});

test('a stop is prompt in every state, also while engines load or are being replaced', async () => {
  const loading = openHouse({ behaviours: ['hang'] });
  await loading.nextState('starting');
  const loadingId = loading.supervisor.status()[0]?.processId;
  await loading.supervisor.stop();
  assert.equal(isAlive(loadingId), false);
  await assert.rejects(loading.supervisor.whenReady('pocket'), isUnavailable);

  const replaced = openHouse({ behaviours: ['never-finish', 'hang'], policy: { farewellMs: 1 } });
  await replaced.supervisor.whenReady('pocket');
  const oldId = replaced.supervisor.status()[0]?.processId;
  const starting = replaced.nextState('starting');
  replaced.supervisor.apply([{ ...engine(replaced.modelFile), maxConcurrent: 2 }], models);
  await starting;
  await replaced.supervisor.stop();
  assert.equal(isAlive(oldId), false);
  assert.equal(isAlive(replaced.supervisor.status()[0]?.processId), false);

  const unreadable = openHouse({ behaviours: ['serve'], checkModelFile: () => new Promise(() => {}) });
  await unreadable.supervisor.stop();
  assert.equal(unreadable.launched.length, 0);
});

test('long data folders get short sockets, and sockets of dead gateways are removed', async () => {
  const base = temporaryFolder();
  const dataDir = join(base, 'd'.repeat(120));
  const house = openHouse({ behaviours: ['serve'], dataDir });
  await house.supervisor.whenReady('pocket');
  const socketPath = house.supervisor.status()[0]!.socketPath;
  assert.ok(Buffer.byteLength(socketPath) < 104);
  const folder = join(socketPath, '..');
  cleanUps.unshift(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'old-00000000.4999999.sock'), '');
  openHouse({ behaviours: ['serve'], dataDir, start: 'demand' });
  assert.deepEqual(readdirSync(folder), [socketPath.slice(folder.length + 1)]);
});

interface HouseOptions {
  /** One for each start; the last repeats. */
  readonly behaviours: readonly FakeBehaviour[];
  readonly policy?: EngineSupervisorParts['policy'];
  readonly start?: 'boot' | 'demand';
  readonly memoryLimitBytes?: number;
  readonly gpu?: 'auto' | 'cuda';
  readonly withoutFile?: boolean;
  readonly dataDir?: string;
  readonly availableMemory?: number;
  readonly checkModelFile?: EngineSupervisorParts['checkModelFile'];
}

function openHouse(options: HouseOptions) {
  const dataDir = options.dataDir ?? temporaryFolder();
  const modelFile = join(temporaryFolder(), 'tiny.gguf');
  if (options.withoutFile !== true) writeTinyGguf(modelFile);
  const launched: Parameters<EngineSupervisorParts['startEngine']>[0][] = [];
  const logged: LogEntry[] = [];
  const supervisor = createEngineSupervisor({
    definitions: [engine(modelFile, options)],
    models,
    dataDir,
    logger: recordingLogger(logged),
    clock: systemClock,
    random: () => 1,
    policy: { firstRestartMs: 10, ...options.policy },
    checkModelFile: options.checkModelFile ?? checkModelFile,
    availableMemory: () => options.availableMemory ?? Infinity,
    estimateMemory: inspectModelFile,
    startEngine(configuration) {
      const behaviour = options.behaviours[launched.length] ?? options.behaviours.at(-1);
      launched.push(configuration);
      const asked = { ...configuration, behaviour };
      return fork(fakeProgram, [JSON.stringify(asked)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    },
  });
  cleanUps.push(() => supervisor.stop());
  return {
    supervisor,
    launched,
    logged,
    modelFile,
    nextState: (kind: EmbeddedEngineState['kind'], reason?: RegExp) => nextState(supervisor, kind, reason),
    collectStates() {
      const states: EmbeddedEngineState[] = [];
      supervisor.onChange(({ state }) => void states.push(state));
      return states;
    },
  };
}

function nextState(
  supervisor: EngineSupervisor,
  kind: EmbeddedEngineState['kind'],
  reason = /./,
): Promise<EmbeddedEngineStatus> {
  const { promise, resolve } = Promise.withResolvers<EmbeddedEngineStatus>();
  const forget = supervisor.onChange((status) => {
    if (status.state.kind !== kind) return;
    if ('reason' in status.state && !reason.test(status.state.reason)) return;
    forget();
    resolve(status);
  });
  return promise;
}

function engine(modelFile = '', options: Partial<HouseOptions> = {}): EngineDefinition {
  return {
    name: 'pocket',
    kind: 'embedded',
    url: 'http://embedded',
    socketPath: undefined,
    credential: undefined,
    maxConcurrent: 4,
    embedded: {
      modelFile,
      threads: 3,
      contextTokens: 'auto',
      gpu: options.gpu ?? 'off',
      start: options.start ?? 'boot',
      memoryLimitBytes: options.memoryLimitBytes,
    },
  };
}

const models = ['alpha', 'beta'].map((id) => plainModel(id, ['pocket']));

interface LogEntry {
  readonly level: string;
  readonly fields: object;
  readonly message: string;
}

function recordingLogger(entries: LogEntry[], context: object = {}): Logger {
  const at = (level: string) => (fields: object, message: string) =>
    void entries.push({ level, fields: { ...context, ...fields }, message });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => recordingLogger(entries, { ...context, ...fields }),
  };
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gh-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'engine_unavailable' && !error.message.includes('/');
}
