import type { Engines } from '#engines';
import type { Settings } from '#settings';
import type { EngineDefinition, EngineTrial } from '#vocabulary/catalogue';
import type { CatalogueDesk, CatalogueList, EntryFields } from '#vocabulary/catalogue-desk';
import { systemClock } from '#vocabulary/clock';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { exitStatus } from './command.ts';
import type { Books } from './open-books.ts';
import { silentLogger } from '#vocabulary/logger';

export interface TryWish {
  readonly list: CatalogueList;
  /** The name of what is kept, or an entry that is not. */
  readonly what: string | EntryFields;
  /** Which model of an engine; of one that is kept by the name callers use, else by its name there. */
  readonly modelName: string | undefined;
}

/** A real question, as the button of the web asks it. The running service is not needed, and not disturbed. */
export async function tryEntry(
  { settings, audit, actor }: Books,
  desk: CatalogueDesk,
  { list, what, modelName }: TryWish,
): Promise<number> {
  const { createEngineTest, createEntryTest } = await import('#status');
  const engines = await openEngines(settings);
  const catalogue = () => settings.catalogue;
  const tryOut = async (engine: EngineDefinition, { upstreamModel }: { readonly upstreamModel: string }) =>
    engines.tryOutUnserved(reachable(engine), upstreamModel);
  try {
    if (typeof what === 'string') {
      const { engineName, modelId } = findKept(settings, list, what, modelName);
      const test = createEngineTest({ catalogue, tryOut, audit });
      return tell(await test(engineName, modelId, actor), engineName, modelId);
    }
    const test = createEntryTest({ ...engines, tryOut, foresee: desk.foresee, catalogue, audit });
    const { engine, upstreamModel, ...trial } = await test(
      { list, name: nameOfKept(desk, list, what), entry: what, upstreamModel: modelName },
      actor,
    );
    return tell(trial, engine, upstreamModel);
  } finally {
    await engines.close();
  }
}

async function openEngines({ catalogue }: Settings): Promise<Engines> {
  const { createEngines } = await import('#engines');
  return createEngines({
    catalogue: { ...catalogue, engines: [] },
    whenReady: () => Promise.resolve(),
    isIdle: () => false,
    onSilence() {},
    onOwnUsage() {},
    onContextLength() {},
    silenceMs: Infinity,
    clock: systemClock,
    logger: silentLogger,
  });
}

function reachable(engine: EngineDefinition): EngineDefinition {
  if (engine.kind !== 'embedded') return engine;
  throw new OperatorProblem(
    `${engine.name} runs inside the service. Ask it with: gatehouse doctor, or on the web.`,
  );
}

/** What the button beside an engine asks: a model that callers can use, of this engine. */
function findKept(
  { catalogue: { engines, models } }: Settings,
  list: CatalogueList,
  name: string,
  modelName: string | undefined,
): { readonly engineName: string; readonly modelId: string } {
  if (list === 'models') {
    const [replica] = models.find(({ id }) => id === name)?.replicas ?? [];
    if (replica !== undefined) return { engineName: replica.engineName, modelId: name };
    throw new OperatorProblem(
      `There is no model ${name}. There are ${models.map(({ id }) => id).join(', ')}.`,
    );
  }
  if (!engines.some((engine) => engine.name === name))
    throw new OperatorProblem(
      `There is no engine ${name}. There are ${engines.map((engine) => engine.name).join(', ')}.`,
    );
  const served = models.filter(({ replicas }) => replicas.some(({ engineName }) => engineName === name));
  const modelId = modelName ?? served[0]?.id;
  if (modelId !== undefined) return { engineName: name, modelId };
  throw new OperatorProblem(`No model uses the engine ${name} yet. Give its entry as JSON to try it.`);
}

/** An entry of a name that was made here would take its place, with the credential it has. */
function nameOfKept(desk: CatalogueDesk, list: CatalogueList, entry: EntryFields): string | undefined {
  const name = entry[list === 'engines' ? 'name' : 'id'];
  return desk.list()[list].find((kept) => kept.origin === 'here' && kept.name === name)?.name;
}

function tell({ isWell, text, tookMs }: EngineTrial, engine: string, model: string | null): number {
  const asked = model === null ? engine : `${engine}, asked for ${model},`;
  process.stderr.write(
    isWell ? `${asked} answered in ${tookMs} ms:\n` : `${asked} did not answer as it should:\n`,
  );
  process.stdout.write(`${text}\n`);
  return isWell ? 0 : exitStatus.failed;
}
