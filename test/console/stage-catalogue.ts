import { plainModel } from '#harness/plain-model';
import type { EngineReport } from '#routing';
import type { Catalogue } from '#vocabulary/catalogue';

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

export const plain = plainModel('beta-4-scout', ['puppet'], {
  description: 'Answers at once.',
  contextTokens: 2048,
});

export const catalogue: Catalogue = {
  models: [
    plain,
    plainModel('gamma-oss-120b', ['puppet'], {
      description: 'Answers at once.',
      contextTokens: 2048,
      supportsReasoningEffort: true,
      supportsVision: true,
      reasoning: 'separate',
    }),
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
