import type { ModelDefinition } from '#vocabulary/catalogue';

/** A model with nothing special about it, served by these engines under its own name. */
export function plainModel(
  id: string,
  engineNames: readonly string[],
  special: Partial<ModelDefinition> = {},
): ModelDefinition {
  return {
    id,
    path: id,
    aliases: [],
    description: '',
    suggestions: [],
    replicas: engineNames.map((engineName) => ({ engineName, upstreamModel: id, upstreamReasoning: 'none' })),
    supportsTools: true,
    supportsVision: false,
    isForEmbeddings: false,
    queryPrefix: '',
    passagePrefix: '',
    supportsReasoningEffort: false,
    defaultReasoningEffort: 'medium',
    reasoning: 'none',
    contextTokens: undefined,
    templateKwargs: {},
    thinkingBudgetTokens: undefined,
    samplingDefaults: {},
    writesTitles: true,
    isForTryingOut: false,
    costWeight: 1,
    ...special,
  };
}
