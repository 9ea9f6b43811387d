import { fileURLToPath } from 'node:url';
import { getLlama, type Llama, LlamaLogLevel } from 'node-llama-cpp';
import type { GpuProbe } from './probe-gpu.ts';

/**
 * A program of its own: tries the graphics processor with the pocket model, prints what can be used as one line
 * of JSON and ends. A driver may list its device, take the weights and abort the process at the first token, so
 * nothing counts before a token has been written.
 */
async function probe(wanted: string): Promise<GpuProbe> {
  const llama = await getLlama({
    gpu: wanted === 'cuda' || wanted === 'vulkan' || wanted === 'metal' ? wanted : 'auto',
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    logger: (_level, message) => process.stderr.write(`${message.trim()}\n`),
  });
  if (llama.gpu === false) return { gpu: 'off', devices: [], memoryBytes: 0, problem: undefined };
  await writeOneToken(llama);
  const devices = await llama.getGpuDeviceNames();
  const { total } = await llama.getVramState();
  return { gpu: llama.gpu, devices, memoryBytes: total, problem: undefined };
}

async function writeOneToken(llama: Llama): Promise<void> {
  const model = await llama.loadModel({ modelPath: pocketModel, gpuLayers: 'max' });
  const context = await model.createContext({ contextSize: 256 });
  for await (const _token of context.getSequence().evaluate(model.tokenize('Good morning.'))) return;
}

const pocketModel = fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url));

if (import.meta.main) {
  const answer = await probe(process.argv[2] ?? 'auto').catch((error: unknown): GpuProbe => ({
    gpu: 'off',
    devices: [],
    memoryBytes: 0,
    problem: error instanceof Error ? error.message.split('\n')[0] : String(error),
  }));
  process.stdout.write(JSON.stringify(answer), () => process.exit(0));
}
