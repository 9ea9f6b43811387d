/**
 * How many answers are whole when things die under them: 1,000 streams whose engine is killed, on simulated engines and
 * on real embedded ones (`kill -9`), and 300 streams over a restart of the gateway. Prints what was missed too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Gateway, startGateway } from '../test/harness/gateway.ts';
import { openStream } from '../test/harness/http-client.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { startSimulatedEngine } from '../test/harness/simulated-engine.ts';
import { startEngine } from '../test/scale/mortals.ts';

/** Nobody reads what the engine writes down here. */
const bookFile = '/dev/null';
const modelFile = fileURLToPath(new URL('../models/pocket-v2.gguf', import.meta.url));

/** The text of an answer; undefined when it broke off or told of an error. */
async function wholeAnswer(
  url: string,
  body: object,
): Promise<{ text: string; isContinued: boolean } | undefined> {
  try {
    const stream = await openStream(url, { body });
    const ending = await stream.ended;
    const chunks = stream.chunks();
    if (ending !== 'complete' || stream.frames().at(-1) !== '[DONE]') return undefined;
    if (chunks.some(({ error }) => error !== undefined)) return undefined;
    const texts = chunks.flatMap(({ choices }) =>
      choices.map(({ delta }) => delta['content'] as string | undefined),
    );
    return { text: texts.join(''), isContinued: chunks.some((chunk) => 'gatehouse' in chunk) };
  } catch {
    return undefined;
  }
}

/** Asks so many times, so many at once, while `disturb` runs. */
async function ask(
  count: number,
  atOnce: number,
  one: (index: number) => ReturnType<typeof wholeAnswer>,
  isRight: (index: number, text: string) => boolean,
  disturb: (isOver: () => boolean) => Promise<number>,
): Promise<string> {
  let next = 0;
  let [right, wrong, broken, continued] = [0, 0, 0, 0];
  const disturbing = disturb(() => next >= count);
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let index = next++; index < count; index = next++) {
        const answer = await one(index);
        if (answer === undefined) broken++;
        else if (isRight(index, answer.text)) right++;
        else wrong++;
        if (answer?.isContinued === true) continued++;
      }
    }),
  );
  const share = ((100 * right) / count).toFixed(1);
  return `${right} of ${count} whole (${share} %), ${continued} of them continued, ${wrong} with another text, ${broken} broken; ${await disturbing} disturbances`;
}

async function simulated(): Promise<string> {
  const engines = await Promise.all(
    [1, 2].map(() => startSimulatedEngine({ flavour: 'vllm', models: ['m'] })),
  );
  await using gateway = await startGateway({
    settings: {
      listen: '127.0.0.1:0',
      engines: engines.map(({ url }, index) => ({
        name: `e${index}`,
        kind: 'vllm',
        url,
        maxConcurrent: 128,
      })),
      models: [{ id: 'm', engines: ['e0', 'e1'] }],
    },
  });
  const messages = [{ role: 'user', content: 'sim:frames=60 sim:every=25' }];
  const text = Array.from({ length: 60 }, (_, index) => `w${index} `).join('');
  const url = `${gateway.url}/m/v1/chat/completions`;
  const result = await ask(
    1000,
    100,
    () => wholeAnswer(url, { model: 'm', stream: true, messages }),
    (_, said) => said === text,
    async (isOver) => {
      let kills = 0;
      for (; !isOver(); kills++) {
        const engine = engines[kills % 2];
        await sleep(1500);
        await engine?.refuseConnections();
        await sleep(500);
        await engine?.acceptAgain();
        await sleep(3000);
      }
      return kills;
    },
  );
  await Promise.all(engines.map((engine) => engine.stop()));
  return result;
}

async function embedded(count: number): Promise<string> {
  const engine = { kind: 'embedded', modelFile, threads: 1, gpu: 'off', maxConcurrent: 16, context: 512 };
  await using gateway = await startGateway({
    settings: {
      listen: '127.0.0.1:0',
      engines: ['one', 'two'].map((name) => ({ name, ...engine })),
      models: [{ id: 'tiny', engines: ['one', 'two'], template: { enable_thinking: false } }],
    },
  });
  const url = `${gateway.url}/tiny/v1/chat/completions`;
  const questions = [
    'Tell me a story about a fox.',
    'How do I boil an egg?',
    'Name three colours.',
    'Who are you?',
  ];
  const bodyOf = (index: number) => ({
    model: 'tiny',
    stream: true,
    temperature: 0,
    max_tokens: 48,
    messages: [{ role: 'user', content: questions[index % questions.length] }],
  });
  const undisturbed = await Promise.all(questions.map((_, index) => wholeAnswer(url, bodyOf(index))));
  return await ask(
    count,
    16,
    (index) => wholeAnswer(url, bodyOf(index)),
    (index, said) => said === undisturbed[index % questions.length]?.text,
    async (isOver) => {
      let kills = 0;
      while (!isOver()) {
        await sleep(4000);
        const victims = enginesOf(gateway);
        // One of them at a time, and only when its brother lives.
        if (victims.length < 2) continue;
        process.kill(victims[kills % 2] ?? 0, 'SIGKILL');
        kills++;
      }
      return kills;
    },
  );
}

/** The processes of embedded engines that listen. */
function enginesOf({ pid, dataDir }: Gateway): number[] {
  const sockets = readdirSync(join(dataDir, 'run'));
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children
    .filter((child) => {
      const words = readFileSync(`/proc/${child}/cmdline`, 'utf8');
      return sockets.some((socket) => words.includes(socket));
    })
    .map(Number);
}

/** 300 streams over one gateway after the other; each is restarted in its turn. */
async function restarted(gateways: readonly Gateway[]): Promise<string> {
  const messages = [{ role: 'user', content: 'words=50' }];
  const successors: number[] = [];
  const result = await ask(
    1200,
    300,
    (index) =>
      wholeAnswer(`${gateways[index % gateways.length]?.url}/m/v1/chat/completions`, {
        model: 'm',
        stream: true,
        messages,
      }),
    (_, said) => said.endsWith('w49 '),
    async () => {
      for (const gateway of gateways) {
        await sleep(2000);
        const { stdout } = await gateway.command('restart');
        successors.push(Number(/(\d+) serves/.exec(stdout)?.[1]));
      }
      return gateways.length;
    },
  );
  await Promise.all(gateways.map((gateway) => gateway.exited));
  for (const processId of successors) process.kill(processId, 'SIGTERM');
  return result;
}

async function restartedOn(count: number, database: string | undefined): Promise<string> {
  // In a process of its own: beside 300 callers it would fall silent on a busy machine, and be taken for dead.
  const engine = await startEngine('one', bookFile);
  const settings = {
    listen: '127.0.0.1:0',
    ...(database !== undefined && { database, service: 'bench' }),
    engines: [{ name: 'one', kind: 'vllm', url: engine.url, maxConcurrent: 1000 }],
    models: [{ id: 'm', engines: ['one'] }],
  };
  const gateways: Gateway[] = [];
  for (let started = 0; started < count; started += 1) gateways.push(await startGateway({ settings }));
  const result = await restarted(gateways);
  await engine.kill();
  return result;
}

async function restartedOnPostgres(): Promise<string> {
  const postgres = await startPostgres();
  try {
    return await restartedOn(3, await postgres.createDatabase());
  } finally {
    await postgres.stop();
  }
}

const part = process.argv[2];
if (part === undefined || part === 'simulated') console.log('engines killed, simulated:', await simulated());
if (part === undefined || part === 'restart')
  console.log('restart under 300 streams, SQLite:', await restartedOn(1, undefined));
if (part === undefined || part === 'rolling')
  console.log('rolling restart of three under 300 streams, PostgreSQL:', await restartedOnPostgres());
if (part === undefined || part === 'embedded')
  console.log('engines killed, embedded: ', await embedded(Number(process.argv[3] ?? 1000)));
