import type { Catalogue, ModelDefinition, ModelReplica } from '#vocabulary/catalogue';
import { nearestWord } from '#vocabulary/nearest-word';
import { assembleEngines } from './assemble-engines.ts';
import type { Assembly } from './assembly.ts';
import { reservedPaths } from './reserved-paths.ts';
import type { SettingsValues } from './settings-table.ts';

type ModelValues = SettingsValues['models'][number];

export function assembleCatalogue(values: SettingsValues, assembly: Assembly): Catalogue {
  const engines = assembleEngines(values, assembly);
  const engineNames = [...new Set([...values.engines.map(({ name }) => name), ...engines.keys()])];
  const models = assembleModels(values.models, engineNames, assembly);
  const inUse = new Set(models.flatMap(({ replicas }) => replicas.map(({ engineName }) => engineName)));
  const written = new Set(values.engines.map(({ name }) => name));
  return {
    models,
    engines: [...engines.values()].filter(({ name }) => written.has(name) || inUse.has(name)),
    directNetworks: values.directNetworks,
    trustedProxies: values.trustedProxies,
  };
}

/** What an empty chat has room for. */
const maxSuggestions = 4;

function assembleModels(
  written: readonly ModelValues[],
  engineNames: readonly string[],
  assembly: Assembly,
): readonly ModelDefinition[] {
  const idOwners = new Map<string, string>();
  const pathOwners = new Map<string, string>();
  if (written.length === 0 && assembly.isSound('models')) {
    assembly.refuse('models', 'No model is offered.', 'Add one, or remove the list for the built-in models.');
  }
  return written.flatMap((model, index) => {
    const knob = `models[${index}]`;
    if (!assembly.isSound(knob)) return [];
    const path = model.path ?? model.id;
    checkPath(path, model, knob, assembly);
    claim(pathOwners, path, model.id, `${knob}.path`, assembly);
    claim(idOwners, model.id, model.id, `${knob}.id`, assembly);
    for (const alias of model.aliases) claim(idOwners, alias, model.id, `${knob}.aliases`, assembly);
    if (model.suggestions.length > maxSuggestions) {
      const count = model.suggestions.length;
      assembly.refuse(
        `${knob}.suggestions`,
        `There are ${count} suggestions, and an empty chat has room for ${maxSuggestions}.`,
        `Keep the ${maxSuggestions} that show best what the model can do.`,
      );
    }
    return [
      {
        id: model.id,
        path,
        aliases: model.aliases,
        description: model.description,
        suggestions: model.suggestions,
        replicas: assembleReplicas(model, engineNames, knob, assembly),
        supportsTools: model.tools,
        supportsVision: model.vision,
        isForEmbeddings: model.embeddings,
        queryPrefix: model.queryPrefix,
        passagePrefix: model.passagePrefix,
        supportsReasoningEffort: model.reasoningEffort,
        defaultReasoningEffort: model.defaultReasoningEffort,
        reasoning: model.reasoning,
        contextTokens: model.context,
        writesTitles: model.titles,
        isForTryingOut: model.forTryingOut,
        templateKwargs: model.template,
        thinkingBudgetTokens: model.thinkingBudget,
        samplingDefaults: model.sampling,
        costWeight: model.costWeight,
      },
    ];
  });
}

function assembleReplicas(
  model: ModelValues,
  engineNames: readonly string[],
  knob: string,
  { refuse }: Assembly,
): readonly ModelReplica[] {
  if (model.engines.length === 0) {
    refuse(`${knob}.engines`, 'The model has no engine.', `Name one of: ${engineNames.join(', ')}.`);
  }
  return model.engines.map((replica, index) => {
    if (!engineNames.includes(replica.engine)) {
      const meant = nearestWord(replica.engine, engineNames);
      refuse(
        `${knob}.engines[${index}]`,
        `There is no engine called "${replica.engine}".`,
        meant === undefined ? `Name one of: ${engineNames.join(', ')}.` : `Did you mean ${meant}?`,
      );
    }
    return {
      engineName: replica.engine,
      upstreamModel: replica.model ?? model.id,
      upstreamReasoning: replica.reasoning ?? (model.reasoning === 'none' ? 'none' : 'fields'),
    };
  });
}

function checkPath(path: string, model: ModelValues, knob: string, { refuse }: Assembly): void {
  if (reservedPaths.has(path.toLowerCase())) {
    refuse(
      `${knob}.path`,
      `The path "${path}" belongs to the service itself.`,
      'Choose another, such as the id of the model.',
    );
  } else if (model.path === undefined && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(path)) {
    refuse(
      `${knob}.path`,
      `The id "${model.id}" cannot be a path.`,
      'Give a path of letters, digits, dots and dashes.',
    );
  }
}

/** Ids, aliases and paths are compared without regard to letter case, as callers write them in any. */
function claim(
  owners: Map<string, string>,
  name: string,
  owner: string,
  knob: string,
  { refuse }: Assembly,
): void {
  const other = owners.get(name.toLowerCase());
  if (other === undefined) owners.set(name.toLowerCase(), owner);
  else
    refuse(
      knob,
      `"${name}" is already taken by the model ${other}.`,
      'Make it different, also in lower case.',
    );
}
