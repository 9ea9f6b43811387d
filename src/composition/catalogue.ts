/** What is served, as the settings have it and engines complete it. */
import type { Catalogue, EngineDefinition } from '#vocabulary/catalogue';

export interface LiveCatalogue {
  now(): Catalogue;
  /** An engine tells how long the context of a model is. */
  learn(engineName: string, upstreamModel: string, contextTokens: number): void;
  /** As newly written. What engines told stays. */
  apply(written: Catalogue): void;
}

/** With the sockets of embedded engines, and the context lengths that nobody wrote down but an engine told. */
export function composeCatalogue(
  settings: Catalogue,
  withSockets: (engines: readonly EngineDefinition[]) => readonly EngineDefinition[],
): LiveCatalogue {
  /** As many as the settings name replicas. */
  const contextLengths = new Map<string, number>();
  let written = settings;
  let current = completed();
  return {
    now: () => current,
    learn(engineName, upstreamModel, contextTokens) {
      const replica = `${engineName} ${upstreamModel}`;
      if (contextLengths.get(replica) === contextTokens) return;
      contextLengths.set(replica, contextTokens);
      current = completed();
    },
    apply(next) {
      written = next;
      current = completed();
    },
  };

  function completed(): Catalogue {
    const models = written.models.map((model) => {
      const told = model.replicas.flatMap(
        ({ engineName, upstreamModel }) => contextLengths.get(`${engineName} ${upstreamModel}`) ?? [],
      );
      return model.contextTokens !== undefined || told.length === 0
        ? model
        : { ...model, contextTokens: Math.min(...told) };
    });
    return { ...written, models, engines: withSockets(written.engines) };
  }
}
