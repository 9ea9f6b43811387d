import type { AuditTrail } from '#vocabulary/audit';
import type {
  Catalogue,
  EngineDefinition,
  EngineTrial,
  ModelReplica,
  UnservedTrial,
} from '#vocabulary/catalogue';
import type { CatalogueDesk, DraftedEntry, TryEntry } from '#vocabulary/catalogue-desk';
import { Refusal } from '#vocabulary/refusal';

/** Lets an operator ask a real question of what they are about to keep; one at a time for each, and written down. */
export function createEntryTest(parts: {
  readonly foresee: CatalogueDesk['foresee'];
  /** As it is served now. */
  readonly catalogue: () => Catalogue;
  readonly tryOut: (engine: EngineDefinition, replica: ModelReplica) => Promise<EngineTrial>;
  readonly tryOutUnserved: (
    engine: EngineDefinition,
    upstreamModel: string | undefined,
  ) => Promise<UnservedTrial>;
  readonly audit: AuditTrail;
}): TryEntry {
  /** As many as there are operators. */
  const asking = new Set<string>();
  return async (draft, by) => {
    const asker = by.kind === 'person' ? by.personId : by.kind;
    if (asking.has(asker))
      throw new Refusal('conflict', 'You are testing something already. Wait for its answer.', {
        param: 'test',
      });
    asking.add(asker);
    try {
      const { engine, trial } = await (draft.list === 'engines' ? tryEngine(draft) : tryModel(draft));
      const { isWell, tookMs, upstreamModel } = trial;
      await parts.audit.note({
        kind: 'engine-tested',
        by,
        detail: {
          engine: engine.name,
          model: upstreamModel ?? '',
          address: URL.parse(engine.url)?.origin ?? '',
          isWell,
          tookMs,
          isKept: false,
        },
      });
      return { ...trial, engine: engine.name, upstreamModel: upstreamModel ?? null };
    } finally {
      asking.delete(asker);
    }
  };

  async function tryEngine({ list, name, entry, upstreamModel }: DraftedEntry) {
    const { engines } = await parts.foresee(list, name, entry);
    const engine = engines.find((each) => each.name === entry['name']);
    if (engine === undefined) throw new Refusal('not_found', 'There is no such engine.');
    if (engine.kind === 'embedded')
      throw new Refusal('invalid_parameter', 'An engine that runs here is started when it is kept.', {
        param: 'test',
      });
    return { engine, trial: await parts.tryOutUnserved(engine, upstreamModel) };
  }

  /** Its engines are kept already, and one that runs here is known by the socket it has now. */
  async function tryModel({ list, name, entry }: DraftedEntry) {
    const { models } = await parts.foresee(list, name, entry);
    const replica = models.find(({ id }) => id === entry['id'])?.replicas[0];
    const engine = parts.catalogue().engines.find((each) => each.name === replica?.engineName);
    if (replica === undefined || engine === undefined)
      throw new Refusal('invalid_parameter', 'The model has no engine.', { param: 'engines' });
    const { upstreamModel } = replica;
    return { engine, trial: { ...(await parts.tryOut(engine, replica)), upstreamModel } };
  }
}
