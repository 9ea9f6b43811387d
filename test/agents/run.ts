/**
 * The coding agents that people use, as their makers ship them, against the running program: each is asked for a file,
 * and must have written it. `npm run test:agents` runs this file; words after `--` choose some of them by their names.
 * They get a home of their own and only our address and key, and reach nothing but this machine. Ends with 77 where an
 * agent cannot be had.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitUntil } from '#harness/wait-until';
import type { Agent } from './agent.ts';
import { bringAgents, isHere } from './bring-agents.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';

import { openCodeWithChat, openCodeWithMessages, openCodeWithResponses } from './opencode.ts';
import { startScriptedService, taskFor } from './scripted-service.ts';

const chosen = process.argv.slice(2).map((word) => word.toLowerCase());
const agents = [claudeCode, codex, openCodeWithChat, openCodeWithMessages, openCodeWithResponses].filter(
  ({ name }) => chosen.length === 0 || chosen.some((word) => name.toLowerCase().includes(word)),
);
const packages = bringAgents(agents);
const missing = agents.filter((agent) => !isHere(packages, agent));
if (missing.length > 0) {
  process.stderr.write(`Not to be had here: ${missing.map(({ name }) => name).join(', ')}.\n`);
  process.exit(77);
}
const service = await startScriptedService(agents.map(({ tool }) => tool));
after(() => service[Symbol.asyncDispose]());

for (const agent of agents) {
  test(`${agent.name} writes the file it was asked for`, async () => {
    const place = await mkdtemp(join(tmpdir(), 'gatehouse-agent-'));
    const [home, folder] = [join(place, 'home'), join(place, 'work')];
    await Promise.all([mkdir(home), mkdir(folder)]);
    const before = service.gateway.usageRecords().length;
    const heard = service.witness.exchanges().length;
    const file = join(folder, 'note.txt');
    const { key, model } = service;
    const env = await agent.prepare({ home, folder, url: `${service.witness.url}/api`, key, model });
    const { status, said } = await run(agent, { ...alone(home), ...env }, folder, taskFor(file, 'heron'));
    assert.equal(status, 0, said);
    assert.equal((await readFile(file, 'utf8')).trim(), 'heron', said);
    const answers = service.witness.exchanges().slice(heard);
    assert.deepEqual(
      answers
        .map(({ response }) => response.startLine.split(' ')[1])
        .filter((answered) => answered !== '200'),
      [],
    );
    // The call, and the last word after its result.
    const records = () =>
      service.gateway
        .usageRecords()
        .slice(before)
        .filter(({ endpoint, ending }) => endpoint === agent.endpoint && ending === 'completed');
    await waitUntil('both turns are in the books', () => records().length >= 2);
    await rm(place, { recursive: true, force: true });
  });
}

/** No variable of ours, and no way out of this machine: whatever is not here is sought at a port where nobody listens. */
function alone(home: string): Record<string, string> {
  const nowhere = 'http://127.0.0.1:9';
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: '127.0.0.1,localhost',
  };
}

async function run(
  agent: Agent,
  env: Readonly<Record<string, string>>,
  cwd: string,
  task: string,
): Promise<{ readonly status: number | null; readonly said: string }> {
  const child = spawn(join(packages, agent.program), agent.words(task), {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, said }));
  });
}
