import type { EngineKind } from '#vocabulary/catalogue';
import type { EngineKindRules } from './engine-kind.ts';
import { embeddedRules } from './embedded/embedded.ts';
import { llamaServerRules } from './llama-server/llama-server.ts';
import { openaiRules } from './openai/openai.ts';
import { sglangRules } from './sglang/sglang.ts';
import { vllmRules } from './vllm/vllm.ts';

export const kinds: Readonly<Record<EngineKind, EngineKindRules>> = {
  vllm: vllmRules,
  sglang: sglangRules,
  'llama-server': llamaServerRules,
  openai: openaiRules,
  embedded: embeddedRules,
};
