import { startGateway } from './gateway.ts';
import type { Gateway } from './gateway.ts';
import { startSimulatedEngine } from './simulated-engine.ts';
import type { SimulatedEngine } from './simulated-engine.ts';

/** The service of the contract: three models, engine A (vLLM) and engine B (SGLang), and a key. */
export interface Service extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly engineA: SimulatedEngine;
  readonly engineB: SimulatedEngine;
  readonly key: string;
  /** Without a slash at the end. */
  readonly proxy: string;
  direct(path: string): string;
  readonly settings: ServiceSettings;
}

export interface ServiceSettings {
  readonly [knob: string]: unknown;
  readonly engines: readonly object[];
  readonly models: readonly object[];
}

export interface ServiceOptions {
  /** Laid over the standard settings. */
  readonly settings?: object;
  /** Laid over both engines. */
  readonly engine?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const engineA = await startSimulatedEngine({
    flavour: 'vllm',
    models: ['org/beta', { id: 'org/gamma', reasoning: 'fields' }],
  });
  const engineB = await startSimulatedEngine({
    flavour: 'sglang',
    models: [{ id: 'org/alpha', reasoning: 'fields' }],
  });
  const settings: ServiceSettings = {
    listen: '127.0.0.1:0',
    log: { level: 'info', format: 'json' },
    engines: [
      { name: 'engine-a', kind: 'vllm', url: engineA.url, ...options.engine },
      { name: 'engine-b', kind: 'sglang', url: engineB.url, ...options.engine },
    ],
    models: standardModels,
    ...options.settings,
  };
  const gateway = await startGateway({
    settings,
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
  });
  return {
    gateway,
    engineA,
    engineB,
    key: (await gateway.createKey()).secret,
    proxy: `${gateway.url}/api`,
    direct: (path) => `${gateway.url}/${path}/v1`,
    settings,
    [Symbol.asyncDispose]: async () => {
      await gateway.stop();
      await Promise.all([engineA.stop(), engineB.stop()]);
    },
  };
}

export const standardModels: readonly object[] = [
  {
    id: 'alpha-R1',
    path: 'engine-b',
    engines: [{ engine: 'engine-b', model: 'org/alpha', reasoning: 'fields' }],
    reasoning: 'think-tags',
  },
  {
    id: 'beta-4-scout',
    engines: [{ engine: 'engine-a', model: 'org/beta' }],
    tools: true,
    aliases: ['scout'],
  },
  {
    id: 'gamma-oss-120b',
    engines: [{ engine: 'engine-a', model: 'org/gamma', reasoning: 'fields' }],
    tools: true,
    reasoning: 'separate',
    reasoningEffort: true,
    context: 8192,
  },
];

/** A conversation of one message; the words tell the simulated engine what to do. */
export function ask(words: string): { role: 'user'; content: string }[] {
  return [{ role: 'user', content: words }];
}

let marks = 0;

/** A word that no other test puts into its prompts. */
export function mark(): string {
  marks += 1;
  return `mark-${process.pid}-${marks}-`;
}
