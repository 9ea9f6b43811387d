import type { Actor, AuditTrail } from '#vocabulary/audit';
import type { Catalogue, EngineDefinition, EngineTrial, ModelReplica } from '#vocabulary/catalogue';
import { Refusal } from '#vocabulary/refusal';

/** Lets an operator ask one engine a real question; one at a time for each engine, and written down. */
export function createEngineTest(parts: {
  readonly catalogue: () => Catalogue;
  readonly tryOut: (engine: EngineDefinition, replica: ModelReplica) => Promise<EngineTrial>;
  readonly audit: AuditTrail;
}): (engineName: string, modelId: string, by: Actor) => Promise<EngineTrial> {
  const running = new Set<string>();
  return async (engineName, modelId, by) => {
    const { engines, models } = parts.catalogue();
    const engine = engines.find(({ name }) => name === engineName);
    if (engine === undefined) throw new Refusal('not_found', 'There is no such engine.');
    const replica = models
      .find(({ id }) => id === modelId)
      ?.replicas.find((candidate) => candidate.engineName === engineName);
    if (replica === undefined)
      throw new Refusal('invalid_parameter', 'This engine does not serve such a model.', {
        param: 'modelId',
      });
    if (running.has(engineName))
      throw new Refusal('conflict', 'This engine is being tested already. Wait for its answer.');
    running.add(engineName);
    try {
      const trial = await parts.tryOut(engine, replica);
      await parts.audit.note({
        kind: 'engine-tested',
        by,
        detail: { engine: engineName, model: modelId, isWell: trial.isWell, tookMs: trial.tookMs },
      });
      return trial;
    } finally {
      running.delete(engineName);
    }
  };
}
