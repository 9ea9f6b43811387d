/**
 * `npm run bench:fairness`: the running service with several members, in front of a simulated vLLM and of the embedded
 * engine. Each figure beside the same load with one key for everybody, which makes the line first come, first served.
 * Whoever still waits at the end of a load counts with the time they have waited: those figures are the least.
 *
 *   --seconds N   of each load (default 20)
 *   --rounds N    interleaved (default 3)
 *   --only NAME   `vllm` or `embedded`
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Gateway, startGateway } from '#harness/gateway';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { type Asker, type Heard, listenFor } from './fairness-callers.ts';
import { quantile } from './load.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const seats = 8;
const model = 'bench';
const vocabulary = 'river stone lamp garden letter winter bridge copper market sailor window thunder'.split(
  ' ',
);

/** What the engine is and how a question for it is put. */
interface Stage {
  readonly name: string;
  readonly gateway: Gateway;
  /** Prompt words and answer tokens. */
  words(promptWords: number, answerTokens: number): string;
  stop(): Promise<void>;
}

print(
  `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() || process.arch}), load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}; ${values.rounds} rounds of ${seconds} s, median (range)\n`,
);
print('| engine | measure | fair line | first come, first served | goal |\n| --- | --- | --- | --- | --- |');
for (const open of [openVllm, openEmbedded]) {
  if (values.only !== undefined && !open.name.toLowerCase().includes(values.only)) continue;
  const stage = await open();
  try {
    await measure(stage);
  } finally {
    await stage.stop();
  }
}
print(`\nload afterwards ${loadavg()[0]?.toFixed(1)}`);
process.exit(0);

async function measure({ name, gateway, words }: Stage): Promise<void> {
  const keys = await Promise.all(
    Array.from({ length: 9 }, (_, index) =>
      gateway.createKey({ name: 'bench', email: `member-${index}@example.org` }),
    ),
  );
  const [heavy = '', light = '', ...others] = keys.map(({ secret }) => secret);
  const heavier = await keyIn('three');
  const lighter = await keyIn('one');
  const figures = new Map<string, number[]>();
  const note = (figure: string, value: number) =>
    figures.set(figure, [...(figures.get(figure) ?? []), value]);
  await listen([flood(heavy)], 5);
  for (let round = 0; round < Number(values.rounds); round++) {
    const [alone = []] = await listen([occasional(light)]);
    const [, fair = []] = await listen([flood(heavy), occasional(light)]);
    const [, queued = []] = await listen([flood(heavy), occasional(heavy)]);
    for (const at of [0.5, 0.95]) {
      const base = firstToken(alone, at);
      note(`alone ${at}`, base);
      note(`fair ${at}`, firstToken(fair, at) / base);
      note(`queued ${at}`, firstToken(queued, at) / base);
    }
    const crowd = others.map((key, index) => mixed(key, index));
    const shared = await listen(crowd);
    const plain = await listen(crowd.map((asker) => ({ ...asker, key: heavy })));
    for (const [order, heard] of [
      ['fair', shared],
      ['queued', plain],
    ] as const) {
      note(`${order} speed`, tokensPerSecond(heard.flat()));
      note(`${order} work`, settledCost(heard.flat()) / seconds);
      // Who asks with short prompts, and who with long ones: answers and tokens of each.
      const shares = heard.map(
        (all) => `${all.length}/${all.reduce((sum, one) => sum + one.outputTokens, 0)}`,
      );
      process.stderr.write(`${name}, ${order}: answers/tokens of the seven ${shares.join(' ')}\n`);
    }
    const [prompts = [], answers = []] = await listen([longPrompts(heavy), longAnswers(light)], 2 * seconds);
    const [plainPrompts = [], plainAnswers = []] = await listen(
      [longPrompts(heavy), longAnswers(heavy)],
      2 * seconds,
    );
    note('fair cost', settledCost(answers) / settledCost(prompts));
    note('queued cost', settledCost(plainAnswers) / settledCost(plainPrompts));
    const [one = [], three = []] = await listen([mixed(lighter, 1, 16), mixed(heavier, 1, 16)], 2 * seconds);
    note('weights', settledCost(three) / settledCost(one));
  }
  const shown = (figure: string, unit = '×') => spread(figures.get(figure) ?? [], unit);
  print(
    `| ${name} | one who asks now and then, alone: first token p50 / p95 | ${shown('alone 0.5', ' ms')} / ${shown('alone 0.95', ' ms')} | | |`,
  );
  print(
    `| | beside 50 questions at once: p95 against alone | ${shown('fair 0.95')} | ${shown('queued 0.95')} | ≤ 1.5× |`,
  );
  print(`| | … p50 | ${shown('fair 0.5')} | ${shown('queued 0.5')} | |`);
  print(
    `| | tokens/s of seven members who always want more | ${shown('fair speed', '')} | ${shown('queued speed', '')} | ≥ 0.98×: ${ratioOf('fair speed', 'queued speed')} |`,
  );
  print(
    `| | … cost a second | ${shown('fair work', '')} | ${shown('queued work', '')} | ${ratioOf('fair work', 'queued work')} |`,
  );
  print(
    `| | long answers against long prompts: cost served | ${shown('fair cost')} | ${shown('queued cost')} | 1× |`,
  );
  print(`| | weight 3 against weight 1: cost served | ${shown('weights')} | | 3× |`);

  function listen(askers: readonly Asker[], forSeconds = seconds): Promise<Heard[][]> {
    return listenFor(gateway.url, model, forSeconds, askers);
  }

  async function keyIn(project: string): Promise<string> {
    return (await gateway.createKey({ name: 'bench', email: `${project}@example.org`, project })).secret;
  }

  function flood(key: string): Asker {
    return { key, width: 50, thinkMs: () => 0, question: () => ask(80, 200) };
  }

  function occasional(key: string): Asker {
    return { key, width: 1, thinkMs: () => 200 + Math.random() * 400, question: () => ask(80, 24) };
  }

  function mixed(key: string, index: number, width = 4): Asker {
    return {
      key,
      width,
      thinkMs: () => 0,
      question: () => ask(20 + 30 * index, 20 + Math.floor(Math.random() * 80)),
    };
  }

  function longPrompts(key: string): Asker {
    return { key, width: 16, thinkMs: () => 0, question: () => ask(500, 8) };
  }

  function longAnswers(key: string): Asker {
    return { key, width: 16, thinkMs: () => 0, question: () => ask(10, 120) };
  }

  function ask(promptWords: number, maxTokens: number): { words: string; maxTokens: number } {
    return { words: words(promptWords, maxTokens), maxTokens };
  }

  function ratioOf(above: string, below: string): string {
    const pairs = (figures.get(above) ?? []).map(
      (value, round) => value / (figures.get(below)?.[round] ?? Number.NaN),
    );
    return spread(pairs, '×');
  }
}

/** A vLLM that takes 40 ms for a prompt and 15 ms for a token, whatever else it does. */
async function openVllm(): Promise<Stage> {
  const engine = await startSimulatedEngine({ flavour: 'vllm', models: ['org/bench'] });
  const gateway = await startGateway({
    settings: settingsWith(
      { name: 'engine', kind: 'vllm', url: engine.url, maxConcurrent: seats },
      'org/bench',
    ),
  });
  return {
    name: 'simulated vLLM',
    gateway,
    words: (promptWords, tokens) => `${prose(promptWords)} sim:slow=40 sim:every=15 sim:frames=${tokens}`,
    async stop() {
      await gateway.stop();
      await engine.stop();
    },
  };
}

async function openEmbedded(): Promise<Stage> {
  const modelFile = fileURLToPath(new URL('../models/pocket-v2.gguf', import.meta.url));
  const gateway = await startGateway({
    settings: settingsWith(
      { name: 'engine', kind: 'embedded', modelFile, context: 2048, maxConcurrent: seats },
      undefined,
    ),
  });
  return {
    name: 'embedded',
    gateway,
    words: (promptWords) => `${prose(promptWords)} Tell a long story.`,
    stop: gateway.stop,
  };
}

function settingsWith(engine: object, upstream: string | undefined): object {
  return {
    listen: '127.0.0.1:0',
    log: { level: 'warn', format: 'json' },
    limits: { waitingLine: { maxWait: '10m' } },
    engines: [engine],
    projects: [
      { id: 'one', weight: 1 },
      { id: 'three', weight: 3 },
    ],
    models: [
      { id: model, engines: [upstream === undefined ? 'engine' : { engine: 'engine', model: upstream }] },
    ],
  };
}

/** No two prompts begin alike. */
function prose(count: number): string {
  return Array.from({ length: count }, () => vocabulary[Math.floor(Math.random() * vocabulary.length)]).join(
    ' ',
  );
}

function settledCost(heard: readonly Heard[]): number {
  return heard.reduce(
    (sum, { inputTokens, cachedTokens, outputTokens }) =>
      sum + (inputTokens - cachedTokens) + 0.1 * cachedTokens + 3 * outputTokens,
    0,
  );
}

function tokensPerSecond(heard: readonly Heard[]): number {
  return heard.reduce((sum, { outputTokens }) => sum + outputTokens, 0) / seconds;
}

function firstToken(heard: readonly Heard[], at: number): number {
  return quantile(
    heard.map(({ firstTokenMs }) => firstTokenMs),
    at,
  );
}

function spread(all: readonly number[], unit: string): string {
  const show = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
  return `${show(quantile(all, 0.5))}${unit} (${show(Math.min(...all))}–${show(Math.max(...all))})`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
