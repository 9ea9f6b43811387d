import type { NativeSampler, NativeSamplerConfig } from './native-bindings.ts';

/**
 * Native samplers that are used again. Each holds a buffer as long as the vocabulary and gives it back only when
 * it is collected as garbage; the collector does not know its weight, so under load hundreds of megabytes would
 * wait for it. At most `mostKept` are kept; what comes back beyond that is disposed of.
 */
export interface SamplerPool {
  take(config: NativeSamplerConfig): NativeSampler;
  /** Only while no step uses it, and once. */
  giveBack(sampler: NativeSampler): void;
}

export interface ConfigurableSampler extends NativeSampler {
  applyConfig(config: NativeSamplerConfig): void;
  dispose(): void;
}

export function createSamplerPool(make: () => ConfigurableSampler, mostKept: number): SamplerPool {
  const taken = new Map<NativeSampler, ConfigurableSampler>();
  const unused: ConfigurableSampler[] = [];
  return {
    take: (config) => {
      const sampler = unused.pop() ?? make();
      // With another seed in between its random numbers begin anew, whatever it has done before.
      sampler.applyConfig({ ...config, seed: (config.seed + 1) >>> 0 });
      sampler.applyConfig(config);
      taken.set(sampler, sampler);
      return sampler;
    },
    giveBack: (sampler) => {
      const own = taken.get(sampler);
      taken.delete(sampler);
      if (own === undefined) return;
      if (unused.length < mostKept) unused.push(own);
      else own.dispose();
    },
  };
}
