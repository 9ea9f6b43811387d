import type { IncomingHttpHeaders } from 'node:http';
import type { ModelDefinition } from '#vocabulary/catalogue';
import { findModel } from './asked-model.ts';

/** How a list of models is told: in OpenAI's shape, or in that of the Messages dialect, whose clients say who they are. */
export interface ModelListForm {
  readonly isOfMessages: boolean;
  /** When the models were put up, in seconds. */
  readonly createdAt: number;
}

export function modelListForm(headers: IncomingHttpHeaders, createdAt: number): ModelListForm {
  return { isOfMessages: headers['anthropic-version'] !== undefined, createdAt };
}

export function listModels(models: readonly ModelDefinition[], form: ModelListForm): object {
  const data = models.map((model) => describe(model, form));
  return form.isOfMessages
    ? { data, has_more: false, first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null }
    : { object: 'list', data };
}

export function retrieveModel(
  models: readonly ModelDefinition[],
  name: string,
  form: ModelListForm,
): object | undefined {
  const model = findModel({ models, engines: [], directNetworks: [], trustedProxies: [] }, name);
  return model === undefined ? undefined : describe(model, form);
}

function describe(model: ModelDefinition, { isOfMessages, createdAt }: ModelListForm): object {
  if (isOfMessages)
    return {
      type: 'model',
      id: model.id,
      display_name: model.id,
      created_at: new Date(createdAt * 1000).toISOString(),
      max_input_tokens: model.contextTokens ?? null,
      max_tokens: model.contextTokens ?? null,
      lifecycle: 'active',
      capabilities: null,
    };
  return {
    id: model.id,
    object: 'model',
    created: createdAt,
    owned_by: 'gatehouse',
    root: model.id,
    parent: null,
    // Editors read the context length here.
    max_model_len: model.contextTokens ?? null,
    description: model.description,
    capabilities: {
      tools: model.supportsTools,
      reasoning_effort: model.supportsReasoningEffort,
      reasoning: model.reasoning,
      ...(model.isForEmbeddings && { embeddings: true }),
    },
  };
}
