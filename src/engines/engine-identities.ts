import { hash } from 'node:crypto';
import { isObject } from '#dialects/json-object';
import type { EngineDefinition, EngineKind, ModelReplica } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { EngineIdentity } from '#vocabulary/receipts';

/** An engine that was restarted with another version is noticed within this time, while it has work. */
const freshMs = 60_000;

/** One for each engine; those that are gone are forgotten with the catalogue. */
export interface EngineIdentities {
  /** What is known now; asks the engine again, in the background, when that was a while ago. */
  of(engineName: string): EngineIdentity | undefined;
  apply(
    engines: readonly EngineDefinition[],
    modelOf: (engineName: string) => ModelReplica | undefined,
  ): void;
}

type Read = (engine: EngineDefinition, address: string) => Promise<string | undefined>;

export function createEngineIdentities(read: Read, clock: Clock): EngineIdentities {
  const known = new Map<string, Known>();

  return {
    of(engineName) {
      const entry = known.get(engineName);
      if (entry === undefined) return undefined;
      if (!entry.isAsking && clock.monotonicMs() - entry.askedMs >= freshMs) void ask(entry);
      return entry.identity;
    },
    apply(engines, modelOf) {
      for (const name of known.keys())
        if (!engines.some((engine) => engine.name === name)) known.delete(name);
      for (const engine of engines) {
        const replica = modelOf(engine.name);
        if (questions[engine.kind] === undefined || replica === undefined) continue;
        const before = known.get(engine.name);
        if (before?.engine.url === engine.url && before.replica.upstreamModel === replica.upstreamModel)
          continue;
        const entry: Known = { engine, replica, identity: undefined, askedMs: -Infinity, isAsking: false };
        known.set(engine.name, entry);
        void ask(entry);
      }
    },
  };

  /** An engine that does not tell stays unknown, or what it was. Never rejects. */
  async function ask(entry: Known): Promise<void> {
    entry.isAsking = true;
    const said = new Map<string, unknown>();
    for (const address of questions[entry.engine.kind] ?? []) {
      const text = await read(entry.engine, address).catch(() => undefined);
      if (text !== undefined) said.set(address, parse(text));
    }
    entry.isAsking = false;
    entry.askedMs = clock.monotonicMs();
    if (said.size > 0) entry.identity = { ...readIdentity(said, entry.replica), asOf: clock.wallMs() };
  }
}

interface Known {
  readonly engine: EngineDefinition;
  readonly replica: ModelReplica;
  identity: EngineIdentity | undefined;
  askedMs: number;
  isAsking: boolean;
}

/** What the embedded engine runs is known without asking. */
const questions: Readonly<Partial<Record<EngineKind, readonly string[]>>> = {
  vllm: ['/version', '/v1/models'],
  // Renamed in newer releases.
  sglang: ['/server_info', '/get_server_info', '/v1/models'],
  'llama-server': ['/props', '/v1/models'],
};

function readIdentity(
  said: ReadonlyMap<string, unknown>,
  { upstreamModel }: ModelReplica,
): Omit<EngineIdentity, 'asOf'> {
  const told = ['/version', '/server_info', '/get_server_info', '/props'].find((address) =>
    said.has(address),
  );
  const about = fieldsOf(said.get(told ?? ''));
  const list = fieldsOf(said.get('/v1/models'))['data'];
  const models = Array.isArray(list) ? list.map(fieldsOf) : [];
  const served = models.find(({ id }) => id === upstreamModel) ?? {};
  const template = about['chat_template'];
  return {
    version: shortText(about['version'] ?? about['build_info']),
    weights: shortText(served['root'] ?? about['model_path']),
    weightsSha256: undefined,
    // SGLang names a template there where llama-server gives its text.
    templateSha256: typeof template === 'string' && said.has('/props') ? hash('sha256', template) : undefined,
  };
}

/** A path on the engine's disk tells no more than its last part. */
function shortText(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const isPath = value.startsWith('/') || /^[A-Za-z]:\\/.test(value);
  return (isPath ? (value.split(/[/\\]/).findLast((part) => part !== '') ?? '') : value).slice(0, 200);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
