import type { EngineDefinition, ModelDefinition } from '#vocabulary/catalogue';
import type { ChildConfiguration, ModelProfile } from './child-contract.ts';
import { deriveProfiles } from './derive-profiles.ts';

/** What the settings want of one embedded engine. */
export interface EnginePlan {
  readonly start: 'boot' | 'demand';
  readonly memoryLimitBytes: number | undefined;
  /** What a process cannot change about itself. All else can be told to one that runs. */
  readonly process: Omit<ChildConfiguration, 'listen' | 'profiles'>;
  readonly profiles: readonly ModelProfile[];
}

export function planEngines(
  definitions: readonly EngineDefinition[],
  models: readonly ModelDefinition[],
): ReadonlyMap<string, EnginePlan> {
  const plans = new Map<string, EnginePlan>();
  for (const { name, kind, embedded, maxConcurrent } of definitions) {
    if (kind !== 'embedded' || embedded === undefined) continue;
    const { modelFile, threads, contextTokens, gpu, start, memoryLimitBytes } = embedded;
    plans.set(name, {
      start,
      memoryLimitBytes,
      process: { modelFile, threads, slots: maxConcurrent, contextTokens, gpu },
      profiles: deriveProfiles(name, models),
    });
  }
  return plans;
}

export function needsNewProcess(current: EnginePlan, wanted: EnginePlan | undefined): boolean {
  return JSON.stringify(current.process) !== JSON.stringify(wanted?.process);
}
