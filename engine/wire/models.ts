import { Refusal } from '#vocabulary/refusal';
import type { EngineProfile } from '../engine-profile.ts';
import type { ModelFacts } from '../native/loaded-model.ts';

export function listModels(profiles: readonly EngineProfile[], facts: ModelFacts, created: number): unknown {
  return { object: 'list', data: profiles.map((profile) => describe(profile, facts, created)) };
}

export function showModel(
  path: string,
  profiles: readonly EngineProfile[],
  facts: ModelFacts,
  created: number,
): unknown {
  const profile = profiles.find(({ id }) => id === path || encodeURIComponent(id) === path);
  if (profile !== undefined) return describe(profile, facts, created);
  const ids = profiles.map(({ id }) => id).join(', ');
  throw new Refusal('model_not_found', `No such model is served here. This engine serves: ${ids}.`, {
    param: 'model',
  });
}

function describe(profile: EngineProfile, facts: ModelFacts, created: number): unknown {
  return {
    id: profile.id,
    object: 'model',
    created,
    owned_by: 'gatehouse',
    root: facts.name,
    parent: null,
    max_model_len: Math.min(facts.contextTokens, profile.contextTokens ?? facts.contextTokens),
  };
}
