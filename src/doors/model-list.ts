import type { ModelDefinition } from '#vocabulary/catalogue';
import { findModel } from './asked-model.ts';

/** OpenAI's list, with `max_model_len` beside it because editors read the context length there. */
export function listModels(models: readonly ModelDefinition[], createdAt: number): object {
  return { object: 'list', data: models.map((model) => describe(model, createdAt)) };
}

export function retrieveModel(
  models: readonly ModelDefinition[],
  name: string,
  createdAt: number,
): object | undefined {
  const model = findModel({ models, engines: [], directNetworks: [], trustedProxies: [] }, name);
  return model === undefined ? undefined : describe(model, createdAt);
}

function describe(model: ModelDefinition, createdAt: number): object {
  return {
    id: model.id,
    object: 'model',
    created: createdAt,
    owned_by: 'gatehouse',
    root: model.id,
    parent: null,
    max_model_len: model.contextTokens ?? null,
    description: model.description,
    capabilities: {
      tools: model.supportsTools,
      reasoning_effort: model.supportsReasoningEffort,
      reasoning: model.reasoning,
    },
  };
}
