/**
 * The clock of a newcomer: from `git clone` to the first answer of the model inside, and three more starts when
 * everything is installed. `npm run bench:newcomer` prints the seconds of each step and the size of the packages.
 * What is cloned is the last commit. The npm cache is used as it is; `--warm-up` installs once before, so that it
 * is warm.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#harness/free-port';
import { systemProgram } from '#harness/system-programs';

const repository = new URL('../', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-newcomer-'));
try {
  process.stdout.write(`${describeMachine()}\n`);
  if (process.argv.includes('--warm-up')) {
    const home = clone('warm-up');
    run(home, 'npm', 'install', '--no-audit', '--no-fund');
  }
  const begunMs = performance.now();
  const home = timed('git clone', () => clone('gatehouse'));
  timed('npm install', () => run(home, 'npm', 'install', '--no-audit', '--no-fund'));
  await timedAnswer('npm start to the first answer', home);
  report('clone to the first answer', performance.now() - begunMs);
  for (let start = 1; start <= 3; start++)
    await timedAnswer('installed: npm start to the first answer', home);
  const size = execFileSync(systemProgram('du'), ['-sm', 'node_modules'], { cwd: home, encoding: 'utf8' });
  process.stdout.write(
    `${size.split('\t')[0]?.padStart(7)} MB of packages, load average afterwards ${load()}\n`,
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function clone(name: string): string {
  // By address and not by path, which would only link the files.
  run(scratch, 'git', 'clone', '--quiet', `file://${repository}`, name);
  return join(scratch, name);
}

function run(folder: string, program: string, ...words: string[]): void {
  const { status, stderr } = spawnSync(program, words, { cwd: folder, env: newcomersEnvironment() });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}:\n${String(stderr)}`);
}

/** Without what `npm run` adds: a newcomer has only the machine's own Node and npm. */
function newcomersEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  const path = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  return { ...Object.fromEntries(inherited), PATH: path.join(':') };
}

async function timedAnswer(step: string, home: string): Promise<void> {
  const port = await freePort();
  const begunMs = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: home,
    env: { ...newcomersEnvironment(), PORT: String(port) },
    stdio: 'ignore',
    // A group of its own, so that the service under npm can be stopped with it.
    detached: true,
  });
  const ended = once(child, 'exit');
  try {
    await firstAnswer(port);
    report(step, performance.now() - begunMs);
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await ended;
  }
}

async function firstAnswer(port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/beta-4-scout/v1/chat/completions`;
  const body = JSON.stringify({
    model: 'beta-4-scout',
    messages: [{ role: 'user', content: 'What is the capital of France?' }],
    max_tokens: 32,
  });
  const giveUpMs = performance.now() + 300_000;
  for (;;) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).catch(() => undefined);
    if (answer?.status === 200 && /"content":"[^"]/.test(await answer.text())) return;
    if (performance.now() > giveUpMs) throw new Error('no answer within five minutes');
    await delay(20);
  }
}

function timed<Value>(step: string, work: () => Value): Value {
  const begunMs = performance.now();
  const value = work();
  report(step, performance.now() - begunMs);
  return value;
}

function report(step: string, tookMs: number): void {
  process.stdout.write(`${(tookMs / 1000).toFixed(1).padStart(7)} s  ${step}\n`);
}

function describeMachine(): string {
  const model = cpus()[0]?.model.trim() || process.arch;
  return `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores (${model}), load average ${load()}`;
}

function load(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');
}
