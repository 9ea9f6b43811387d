import type { RealEngine } from '../real-engine.ts';
import { startLlamaServer } from './llama-server.ts';
import { startSglang } from './sglang.ts';
import { startVllm } from './vllm.ts';

export const engineKinds: Readonly<Record<string, () => Promise<RealEngine>>> = {
  'llama-server': startLlamaServer,
  vllm: startVllm,
  sglang: startSglang,
};
