import type { Catalogue, ModelDefinition } from '#vocabulary/catalogue';
import type { Identity } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';

/** Finds a model by the name a caller wrote: letter case, aliases and an `openai/` prefix are forgiven. */
export function findModel(catalogue: Catalogue, name: string): ModelDefinition | undefined {
  const exact = catalogue.models.find((model) => model.id === name);
  if (exact !== undefined) return exact;
  const wanted = foldName(name);
  return catalogue.models.find(
    (model) => foldName(model.id) === wanted || model.aliases.some((alias) => foldName(alias) === wanted),
  );
}

/** The model whose direct address begins with this path segment. */
export function findModelByPath(catalogue: Catalogue, segment: string): ModelDefinition | undefined {
  const wanted = segment.toLowerCase();
  return catalogue.models.find((model) => model.path.toLowerCase() === wanted);
}

export function unknownModel(name: string, usable: readonly ModelDefinition[]): Refusal {
  const ids = usable.map((model) => `\`${model.id}\``).join(', ');
  return new Refusal(
    'model_not_found',
    `The model ${quote(name)} does not exist here. Models you can use: ${ids || 'none'}.`,
    {
      param: 'model',
    },
  );
}

export function modelElsewhere(
  name: string,
  here: ModelDefinition,
  asked: ModelDefinition | undefined,
  publicUrl: string,
): Refusal {
  const elsewhere =
    asked === undefined
      ? ''
      : ` ${quote(asked.id)} is served at ${publicUrl}/${asked.path}/v1/ and, with an API key, at ${publicUrl}/api/.`;
  return new Refusal(
    'model_not_found',
    `The model ${quote(name)} is not served at /${here.path}/v1/. This address serves ${quote(here.id)}.${elsewhere}`,
    { param: 'model' },
  );
}

export function modelNotPermitted(
  { id }: ModelDefinition,
  { caller, shareFor }: Identity,
  usable: readonly ModelDefinition[],
): Refusal {
  const who =
    caller.kind === 'key'
      ? 'This API key'
      : caller.kind === 'network'
        ? `The project \`${shareFor(id).projectId}\` of the network you call from`
        : 'Your account';
  const ids = usable.map((model) => quote(model.id)).join(', ');
  return new Refusal(
    'model_not_permitted',
    `${who} may not use ${quote(id)}. It may use: ${ids || 'no model that is served now'}.`,
    { param: 'model' },
  );
}

function quote(name: string): string {
  return `\`${name.slice(0, 100)}\``;
}

function foldName(name: string): string {
  const folded = name.trim().toLowerCase();
  return folded.startsWith('openai/') ? folded.slice('openai/'.length) : folded;
}
