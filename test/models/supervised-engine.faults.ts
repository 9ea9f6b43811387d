import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isAlive } from '#harness/is-alive';
import { writeTinyGguf } from '#harness/tiny-gguf';
import { waitUntil } from '#harness/wait-until';
import type { EmbeddedEngineStatus } from '#vocabulary/embedded-engine';
import { superviseFile } from './gateway-stand-in.ts';

const modelFile = fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url));
const standIn = fileURLToPath(new URL('./gateway-stand-in.ts', import.meta.url));
const fuseMs = 120_000;

const cleanUps: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

test('the real engine serves, survives Ctrl-C, and comes back when it is killed in the middle of an answer', async () => {
  const supervisor = superviseFile(modelFile, temporaryFolder());
  cleanUps.push(() => supervisor.stop());
  const facts = await supervisor.whenReady('pocket');
  assert.deepEqual(
    [facts.architecture, facts.parameters, facts.slots, facts.contextTokens, facts.gpu],
    ['qwen3', 32_517_888, 2, 512, 'off'],
  );
  const { socketPath, processId = 0, memoryBytes = 0 } = supervisor.status()[0]!;
  assert.ok(memoryBytes > 50e6 && memoryBytes < 2e9, `${memoryBytes} bytes`);
  if (process.platform === 'linux') assertThreadsAreNice(processId);

  process.kill(processId, 'SIGINT');
  const stream = await openStream(socketPath);
  await once(stream, 'data');
  process.kill(processId, 'SIGKILL');
  const [cut] = (await once(stream, 'error')) as [NodeJS.ErrnoException];
  assert.equal(cut.code, 'ECONNRESET');

  await waitUntil(
    'the engine is seen to be gone',
    () => supervisor.status()[0]?.state.kind !== 'ready',
    fuseMs,
  );
  await supervisor.whenReady('pocket');
  assert.notEqual(supervisor.status()[0]?.processId, processId);
  const again = await openStream(socketPath);
  await once(again, 'data');
  again.destroy();

  const last = supervisor.status()[0]?.processId ?? 0;
  await supervisor.stop();
  assert.equal(isAlive(last), false);
  assert.equal(existsSync(socketPath), false);
});

test('a killed gateway leaves no engine behind', async () => {
  const gateway = spawn(process.execPath, [standIn, modelFile, temporaryFolder()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUps.push(() => void gateway.kill('SIGKILL'));
  const [line] = (await once(gateway.stdout, 'data')) as [Buffer];
  const { processId = 0 } = JSON.parse(line.toString()) as EmbeddedEngineStatus;
  assert.equal(isAlive(processId), true);
  gateway.kill('SIGKILL');
  await waitUntil('the engine has ended itself', () => !isAlive(processId), fuseMs);
});

test('a gateway that is killed while its engine loads leaves none behind either', async () => {
  const gateway = spawn(process.execPath, [standIn, modelFile, temporaryFolder()], { stdio: 'ignore' });
  cleanUps.push(() => void gateway.kill('SIGKILL'));
  const children = `/proc/${gateway.pid}/task/${gateway.pid}/children`;
  const processId = await waitUntil(
    'the engine is being loaded',
    () => Number(readFileSync(children, 'utf8').split(' ', 1)[0]) || undefined,
    fuseMs,
  );
  gateway.kill('SIGKILL');
  await waitUntil('the engine has ended itself', () => !isAlive(processId), fuseMs);
});

test('weights that the engine cannot load are explained in its own words', async () => {
  const folder = temporaryFolder();
  const supervisor = superviseFile(writeTinyGguf(join(folder, 'tiny.gguf')), folder);
  cleanUps.push(() => supervisor.stop());
  await assert.rejects(supervisor.whenReady('pocket'), { code: 'engine_unavailable' });
  const { state, restarts } = supervisor.status()[0]!;
  assert.equal(restarts, 2);
  assert.ok(state.kind === 'failed');
  assert.match(
    state.reason,
    /could not start: Failed to load model \(.*key not found.*\)\. Look at the file/,
  );
});

function openStream(socketPath: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asked = request(
    { socketPath, path: '/v1/completions', method: 'POST', headers: { 'content-type': 'application/json' } },
    resolve,
  );
  asked.on('error', reject);
  const body = {
    model: 'pocket',
    prompt: 'Once upon a time',
    max_tokens: 450,
    ignore_eos: true,
    stream: true,
  };
  asked.end(JSON.stringify(body));
  return promise;
}

function assertThreadsAreNice(processId: number): void {
  const threads = readdirSync(`/proc/${processId}/task`).map(Number);
  const nice = threads.filter((thread) => getPriority(thread) > getPriority());
  assert.ok(nice.length >= threads.length - 1, `${nice.length} of ${threads.length} threads are nice`);
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gh-engine-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
