import type { Client } from 'undici';
import type { EngineContender } from './engine-contenders.ts';
import { watchProcessTree } from './process-tree.ts';

export interface WritingFigures {
  readonly tokensPerSecond: number;
  readonly firstTokenMs: number;
  /** Processor time of the engine per token written. */
  readonly cpuMsPerToken: number;
}

export interface WritingLoad {
  readonly clients: number;
  readonly requestsPerClient: number;
  readonly tokensPerRequest: number;
}

/** Every client asks, reads its stream to the end and asks again. Prompts are all different. */
export async function measureWriting(contender: EngineContender, load: WritingLoad): Promise<WritingFigures> {
  const tree = watchProcessTree(contender.processId);
  const firstTokens: number[] = [];
  const cpuBefore = tree.cpuMs();
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: load.clients }, async () => {
      for (let turn = 0; turn < load.requestsPerClient; turn += 1) {
        // A new one each time: llama-server closes connections after a few requests.
        const connection = contender.connect();
        firstTokens.push(await writeOnce(contender, connection, load.tokensPerRequest));
        await connection.destroy();
      }
    }),
  );
  const tokens = load.clients * load.requestsPerClient * load.tokensPerRequest;
  return {
    tokensPerSecond: tokens / ((performance.now() - startedMs) / 1000),
    firstTokenMs: median(firstTokens),
    cpuMsPerToken: (tree.cpuMs() - cpuBefore) / tokens,
  };
}

async function writeOnce(contender: EngineContender, connection: Client, tokens: number): Promise<number> {
  const startedMs = performance.now();
  const { statusCode, body } = await connection.request({
    path: `${contender.prefix}/v1/completions`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: contender.model,
      prompt: somePrompt(),
      max_tokens: tokens,
      temperature: 0,
      ignore_eos: true,
      stream: true,
      stream_options: { include_usage: true },
    }),
  });
  if (statusCode !== 200) throw new Error(`${contender.name} answered ${statusCode}: ${await body.text()}`);
  let firstMs: number | undefined;
  let end = '';
  for await (const chunk of body) {
    firstMs ??= performance.now() - startedMs;
    end = (end + String(chunk)).slice(-2000);
  }
  // Whoever stops early must not win.
  const written = Number(/"completion_tokens":\s*(\d+)/.exec(end)?.[1]);
  if (written !== tokens) throw new Error(`${contender.name} wrote ${written} tokens instead of ${tokens}.`);
  return firstMs ?? 0;
}

let asked = 0;

/** About forty tokens that share no beginning, so that no cache helps anybody. */
function somePrompt(): string {
  asked += 1;
  const place = ['river', 'harbour', 'library', 'mountain', 'garden', 'station'][asked % 6];
  return `${asked} days after the storm, the people of the ${place} met in the old hall and talked about the ${place}, the weather, the bread and the long road home. One of them said:`;
}

export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
