import type { EngineReport } from '#routing';
import type { Catalogue, ModelDefinition } from '#vocabulary/catalogue';

/** What the stage serves: two models on one engine, which is well. */

export const healthy: EngineReport = {
  engineName: 'puppet',
  kind: 'vllm',
  state: 'healthy',
  reason: undefined,
  outstanding: 1,
  maxConcurrent: 4,
  ejections: 0,
  cacheUse: undefined,
};

export const plain: ModelDefinition = {
  id: 'beta-4-scout',
  path: 'beta-4-scout',
  aliases: [],
  description: 'Answers at once.',
  replicas: [{ engineName: 'puppet', upstreamModel: 'puppet', upstreamReasoning: 'none' }],
  supportsTools: true,
  supportsVision: false,
  isForEmbeddings: false,
  queryPrefix: '',
  passagePrefix: '',
  supportsReasoningEffort: false,
  defaultReasoningEffort: 'medium',
  reasoning: 'none',
  contextTokens: 2048,
  templateKwargs: {},
  thinkingBudgetTokens: undefined,
  samplingDefaults: {},
  writesTitles: true,
  isForTryingOut: false,
  suggestions: [],
  costWeight: 1,
};

export const catalogue: Catalogue = {
  models: [
    plain,
    {
      ...plain,
      id: 'gamma-oss-120b',
      path: 'gamma-oss-120b',
      supportsReasoningEffort: true,
      supportsVision: true,
      reasoning: 'separate',
    },
  ],
  engines: [
    {
      name: 'puppet',
      kind: 'vllm',
      url: 'http://user:secret@127.0.0.1:1',
      socketPath: undefined,
      credential: 'secret',
      maxConcurrent: 4,
      embedded: undefined,
    },
  ],
  directNetworks: [],
  trustedProxies: [],
};
