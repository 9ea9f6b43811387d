import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import type { GpuProbe } from './probe-gpu.ts';

/** A program of its own: prints what the library can use here as one line of JSON, then ends. */
async function probe(wanted: string): Promise<GpuProbe> {
  const llama = await getLlama({
    gpu: wanted === 'cuda' || wanted === 'vulkan' || wanted === 'metal' ? wanted : 'auto',
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.disabled,
  });
  if (llama.gpu === false) return { gpu: 'off', devices: [], memoryBytes: 0, problem: undefined };
  const devices = await llama.getGpuDeviceNames();
  const { total } = await llama.getVramState();
  return { gpu: llama.gpu, devices, memoryBytes: total, problem: undefined };
}

if (import.meta.main) {
  const answer = await probe(process.argv[2] ?? 'auto').catch((error: unknown): GpuProbe => ({
    gpu: 'off',
    devices: [],
    memoryBytes: 0,
    problem: error instanceof Error ? error.message.split('\n')[0] : String(error),
  }));
  process.stdout.write(JSON.stringify(answer), () => process.exit(0));
}
