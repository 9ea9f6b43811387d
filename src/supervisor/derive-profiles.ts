import type { ModelDefinition } from '#vocabulary/catalogue';
import type { ModelProfile } from './child-contract.ts';

/** The models an engine serves, under the names it knows them by; the first model to use a name wins. */
export function deriveProfiles(engineName: string, models: readonly ModelDefinition[]): ModelProfile[] {
  const profiles = new Map<string, ModelProfile>();
  for (const model of models) {
    for (const replica of model.replicas) {
      if (replica.engineName !== engineName || profiles.has(replica.upstreamModel)) continue;
      profiles.set(replica.upstreamModel, {
        id: replica.upstreamModel,
        reasoning: model.reasoning,
        supportsTools: model.supportsTools,
        supportsReasoningEffort: model.supportsReasoningEffort,
        defaultReasoningEffort: model.defaultReasoningEffort,
        templateKwargs: model.templateKwargs,
        thinkingBudgetTokens: model.thinkingBudgetTokens,
        samplingDefaults: model.samplingDefaults,
        contextTokens: model.contextTokens,
      });
    }
  }
  return [...profiles.values()];
}
