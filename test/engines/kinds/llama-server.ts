import { freePort } from '#harness/free-port';
import { readMetric } from '../engine-metrics.ts';
import { startEngineProcess } from '../engine-process.ts';
import { bringEnvironment } from '#harness/python-environment';
import { pocketModel, type RealEngine } from '../real-engine.ts';

const packageVersion = '2026.10.11549';
const launcher = new URL('llama_server.py', import.meta.url).pathname;

/** llama.cpp's server with its own code and its own port, from a package that has it as a library. */
export async function startLlamaServer(): Promise<RealEngine> {
  const { python } = await bringEnvironment(`llama-server-${packageVersion}`, (environment) =>
    environment.install('--no-deps', `xllamacpp==${packageVersion}`),
  );
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = await startEngineProcess(python, [launcher, pocketModel, new URL(url).port], {}, url);
  return {
    kind: 'llama-server',
    version: `b${packageVersion.split('.').at(-1)}`,
    url,
    model: 'pocket',
    contextTokens: 1536,
    abilities: {
      embeds: false,
      repeatsSeeds: true,
      tellsUsageFromTheStart: false,
      countsCached: false,
      countsOfPromptForTwo: 1,
    },
    readRunning: () => readMetric(url, 'llamacpp:requests_processing'),
    readRead: () => readMetric(url, 'llamacpp:prompt_tokens_total'),
    readWritten: () => readMetric(url, 'llamacpp:tokens_predicted_total'),
    logs: child.logs,
    [Symbol.asyncDispose]: child.stop,
  };
}
