import type { Engines } from '#engines';
import type { EngineReport } from '#routing';
import type { Catalogue } from '#vocabulary/catalogue';
import type { CountTokens } from '#vocabulary/token-count';

/** Asks the first engine of a model that serves and counts. Counting is nobody's generation: it takes no place. */
export function composeCounting(parts: {
  readonly catalogue: () => Catalogue;
  readonly engineHealth: () => readonly EngineReport[];
  readonly engines: Pick<Engines, 'countTokens' | 'offers'>;
}): CountTokens {
  const { catalogue, engineHealth, engines } = parts;
  return async (modelId, counted) => {
    const { models, engines: definitions } = catalogue();
    const out = new Set(
      engineHealth().flatMap(({ engineName, state }) => (state === 'ejected' ? engineName : [])),
    );
    for (const replica of models.find(({ id }) => id === modelId)?.replicas ?? []) {
      const engine = definitions.find(({ name }) => name === replica.engineName);
      if (engine === undefined || out.has(engine.name) || !engines.offers(engine.kind, 'tokenize')) continue;
      try {
        return await engines.countTokens(engine, replica, counted);
      } catch {
        // Taken out of service at this moment.
        return undefined;
      }
    }
    return undefined;
  };
}
