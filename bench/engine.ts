/**
 * The embedded engine through the service's door and alone, against others, side by side:
 * `npm run bench:engine -- [options]`.
 *
 *   --llama-server PATH   also measure this llama-server binary (or LLAMA_SERVER in the environment)
 *   --model FILE          another GGUF than the pocket model
 *   --threads N           the same for everybody (default: all cores but one)
 *   --rounds N            interleaved rounds (default 5)
 *   --gpu KIND            cuda, vulkan or metal for everybody but llama-server (default off)
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startDoor, startLlamaServer, startOurs } from './engine-contenders.ts';
import type { EngineContender, EngineSetup } from './engine-contenders.ts';
import { measureWriting, median } from './engine-load.ts';
import type { WritingLoad } from './engine-load.ts';

const { values } = parseArgs({
  options: {
    'llama-server': { type: 'string', default: process.env['LLAMA_SERVER'] ?? '' },
    model: { type: 'string', default: fileURLToPath(new URL('../models/pocket-v2.gguf', import.meta.url)) },
    threads: { type: 'string', default: String(Math.max(1, availableParallelism() - 1)) },
    rounds: { type: 'string', default: '5' },
    gpu: { type: 'string', default: 'off' },
  },
});
const setup: EngineSetup = {
  modelFile: values.model,
  threads: Number(values.threads),
  slots: 8,
  contextTokens: 2048,
  gpu: values.gpu as EngineSetup['gpu'],
};
const tokensPerRequest = 60;
const clientCounts = [1, 2, 4, 8];

const date = new Date().toISOString().slice(0, 10);
print(
  `${date}, ${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, ${setup.threads} thread(s), load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}`,
);
await measureColdStart('the engine alone', startOurs);
await measureColdStart('the service', startDoor);

const door = await startDoor(setup);
const ownLoop = await startOwnLoop();
const contenders: EngineContender[] = [door, await startOurs(setup)];
if (values['llama-server'] !== '') contenders.push(await startLlamaServer(values['llama-server'], setup));
/** What the others are compared with. */
const [rival = door] = contenders.slice(-1);

await measureSecondTurn();
print('');
print(
  `| clients | engine | tokens/s, median (range) | against ${rival.name} | first token, median | CPU per token |`,
);
print('| --- | --- | --- | --- | --- | --- |');
for (const clients of clientCounts) await compare(clients);
await measureGatewayShare();

await ownLoop.stop();
for (const contender of contenders) await contender.stop();

async function compare(clients: number): Promise<void> {
  const load: WritingLoad = { clients, requestsPerClient: clients < 4 ? 3 : 2, tokensPerRequest };
  const seen = new Map<string, { speed: number[]; firstMs: number[]; cpuMs: number[] }>();
  const note = (name: string, speed: number, firstMs?: number, cpuMs?: number): void => {
    const row = seen.get(name) ?? { speed: [], firstMs: [], cpuMs: [] };
    seen.set(name, row);
    row.speed.push(speed);
    if (firstMs !== undefined) row.firstMs.push(firstMs);
    if (cpuMs !== undefined) row.cpuMs.push(cpuMs);
  };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const contender of contenders) {
      const figures = await measureWriting(contender, load);
      note(contender.name, figures.tokensPerSecond, figures.firstTokenMs, figures.cpuMsPerToken);
    }
    note("node-llama-cpp's own loop", await ownLoop.measure(load));
  }
  const base = median(seen.get(rival.name)?.speed ?? []);
  for (const [name, { speed, firstMs, cpuMs }] of seen) {
    const range = `${Math.min(...speed).toFixed(0)}–${Math.max(...speed).toFixed(0)}`;
    const first = firstMs.length === 0 ? '' : `${median(firstMs).toFixed(0)} ms`;
    const cpu = cpuMs.length === 0 ? '' : `${median(cpuMs).toFixed(2)} ms`;
    print(
      `| ${clients} | ${name} | ${median(speed).toFixed(0)} (${range}) | ${(median(speed) / base).toFixed(2)}× | ${first} | ${cpu} |`,
    );
  }
}

/** What the gateway itself spends while the engine behind it writes for eight clients. */
async function measureGatewayShare(): Promise<void> {
  const before = ownCpuMs(door.processId);
  const figures = await measureWriting(door, { clients: 8, requestsPerClient: 4, tokensPerRequest });
  const perToken = (ownCpuMs(door.processId) - before) / (8 * 4 * tokensPerRequest);
  const share = (100 * perToken) / figures.cpuMsPerToken;
  print('');
  print(`Gateway while decoding: ${(perToken * 1000).toFixed(0)} µs per token, ${share.toFixed(1)} % of all`);
}

/** User and system time of one process, without its children. */
function ownCpuMs(processId: number): number {
  const text = readFileSync(`/proc/${processId}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function measureColdStart(
  what: string,
  start: (setup: EngineSetup) => Promise<EngineContender>,
): Promise<void> {
  const taken: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const startedMs = performance.now();
    const engine = await start(setup);
    await chat(engine, [{ role: 'user', content: 'Hello!' }]);
    taken.push(performance.now() - startedMs);
    await engine.stop();
  }
  print(
    `Cold start of ${what} to the first answer: ${(median(taken) / 1000).toFixed(2)} s (median of 3, process start included)`,
  );
}

async function measureSecondTurn(): Promise<void> {
  const first = [
    {
      role: 'system',
      content: 'You are a patient librarian. You answer in whole sentences and you never hurry. '.repeat(14),
    },
    { role: 'user', content: 'Tell me a story about a fox who learned to read. '.repeat(8) },
  ];
  const told = await chat(door, first);
  const wait = new Promise((resolve) => setTimeout(resolve, 3000));
  await wait;
  const second = await chat(door, [
    ...first,
    { role: 'assistant', content: told.choices[0]?.message.content ?? '' },
    { role: 'user', content: 'Thank you. And then?' },
  ]);
  const { prompt_tokens: all, prompt_tokens_details: details } = second.usage;
  const share = (100 * details.cached_tokens) / all;
  print(
    `Second turn: ${details.cached_tokens} of ${all} prompt tokens from the cache (${share.toFixed(1)} %)`,
  );
}

interface Answer {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly prompt_tokens_details: { readonly cached_tokens: number };
  };
}

async function chat(engine: EngineContender, messages: readonly object[]): Promise<Answer> {
  const connection = engine.connect();
  const { body } = await connection.request({
    path: `${engine.prefix}/v1/chat/completions`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: engine.model, messages, temperature: 0, max_tokens: 200 }),
  });
  const answer = (await body.json()) as Answer;
  await connection.close();
  return answer;
}

async function startOwnLoop() {
  const child = fork(fileURLToPath(new URL('engine-own-loop.ts', import.meta.url)), [JSON.stringify(setup)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // As all the others.
  setPriority(child.pid ?? 0, 5);
  const hear = (): Promise<{ tokensPerSecond: number }> =>
    new Promise((resolve) => {
      child.once('message', (message) => resolve(message as { tokensPerSecond: number }));
    });
  await hear();
  return {
    measure: async (load: WritingLoad): Promise<number> => {
      const heard = hear();
      child.send(load);
      return (await heard).tokensPerSecond;
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.disconnect();
      await ended;
    },
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
