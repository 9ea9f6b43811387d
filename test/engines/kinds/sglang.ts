import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#harness/free-port';
import { send } from '#harness/http-client';
import { convertedModel } from '../model/converted-model.ts';
import { readMetric } from '../engine-metrics.ts';
import { startEngineProcess } from '../engine-process.ts';
import { bringEnvironment, type PythonEnvironment } from '#harness/python-environment';
import type { RealEngine } from '../real-engine.ts';
import { bringVllm } from './vllm.ts';

const version = '0.5.23';

/**
 * SGLang on the processor. Its server, templates, parsers, scheduler and model code are its makers'; its kernels are
 * built for GPUs, or for processors from source, so the plain torch code beside them does the arithmetic.
 */
export async function startSglang(): Promise<RealEngine> {
  const { python } = await bringEnvironment(`sglang-${version}`, fill);
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = await startEngineProcess(
    python,
    `-m sglang.launch_server --model-path ${convertedModel()} --served-model-name pocket
     --host 127.0.0.1 --port ${new URL(url).port}
     --device cpu --attention-backend torch_native --dtype float32
     --disable-overlap-schedule --max-total-tokens 8192 --mem-fraction-static 0.1
     --tool-call-parser qwen25 --reasoning-parser qwen3
     --enable-metrics --enable-cache-report --skip-server-warmup`.split(/\s+/),
    { SGLANG_USE_CPU_ENGINE: '1', OMP_NUM_THREADS: '1', HF_HUB_OFFLINE: '1' },
    url,
  );
  return {
    kind: 'sglang',
    version,
    url,
    model: 'pocket',
    contextTokens: 2048,
    // Seeds count only with `--enable-deterministic-inference`, which needs kernels.
    abilities: {
      embeds: false,
      repeatsSeeds: false,
      tellsUsageFromTheStart: true,
      countsCached: true,
      // It first asks itself without an answer, to have the prompt in its cache.
      countsOfPromptForTwo: 3,
    },
    // Its metrics lag behind by some forty steps.
    readRunning: async () => {
      const { loads } = (await send(`${url}/v1/loads`)).json as { loads: { num_running_reqs: number }[] };
      return loads.reduce((sum, { num_running_reqs: running }) => sum + running, 0);
    },
    readRead: () => readMetric(url, 'sglang:prompt_tokens_total'),
    readWritten: () => readMetric(url, 'sglang:generation_tokens_total'),
    logs: child.logs,
    [Symbol.asyncDispose]: child.stop,
  };
}

/** torch, transformers and most of the rest are those of vLLM's environment: they are gigabytes. */
async function fill(environment: PythonEnvironment): Promise<void> {
  const lender = await bringVllm();
  writeFileSync(join(environment.packagesFolder, 'zz-borrowed.pth'), `${lender.packagesFolder}\n`);
  await environment.install('--no-deps', `sglang==${version}`, ...ownPackages);
  const stand = new URL('sgl_kernel.py', import.meta.url).pathname;
  copyFileSync(stand, join(environment.packagesFolder, 'sgl_kernel.py'));
}

/** What SGLang imports on the processor and vLLM does not bring. */
const ownPackages =
  `apache-tvm-ffi==0.1.11 openai-harmony==0.0.4 outlines==0.1.11 airportsdata asttokens blobfile
  datasets decorator dill diskcache easydict executing gguf interegular IPython jedi kernels lxml matplotlib-inline
  modelscope multiprocess nest_asyncio nvidia-ml-py orjson pandas parso pexpect prompt-toolkit ptyprocess pure-eval
  py-spy pyarrow pycountry pycryptodomex python-multipart scipy soundfile stack-data timm tomlkit torch_memory_saver
  traitlets uvicorn uvloop wcwidth xxhash zstandard`.split(/\s+/);
