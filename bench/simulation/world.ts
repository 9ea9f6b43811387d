import { plainModel } from '#harness/plain-model';
import type { Catalogue, EngineDefinition, ModelDefinition } from '#vocabulary/catalogue';
import type { KeyGrant, KeyRing } from '#vocabulary/caller';
import type { Logger } from '#vocabulary/logger';
import type { Project, ProjectDirectory } from '#vocabulary/project';
import type { LaneName } from '#vocabulary/sharing';
import { EngineModel, type EngineSpeed, ordinarySpeed } from './engine-model.ts';
import { createVirtualTime, type VirtualTime } from './virtual-time.ts';

/** What there is outside of the gateway: time, engines, projects and people with keys. */
export interface World {
  readonly time: VirtualTime;
  readonly catalogue: Catalogue;
  readonly engines: ReadonlyMap<string, EngineModel>;
  readonly keyRing: KeyRing;
  readonly projects: ProjectDirectory;
  readonly logger: Logger;
  model(id: string): ModelDefinition;
}

/** A model and how many engines serve it; engines of one pool serve all of its models. */
export interface PoolPlan {
  readonly models: readonly string[];
  readonly engines: number;
  readonly seats: number;
}

export interface WorldPlan {
  readonly pools: readonly PoolPlan[];
  readonly speed?: Partial<EngineSpeed>;
  /** Projects that are not named have weight 1. */
  readonly weights?: Readonly<Record<string, number>>;
}

export function createWorld(plan: WorldPlan): World {
  const time = createVirtualTime();
  const engines = new Map<string, EngineModel>();
  const definitions: EngineDefinition[] = [];
  const models: ModelDefinition[] = [];
  for (const [poolNumber, pool] of plan.pools.entries()) {
    const names = Array.from({ length: pool.engines }, (_, index) => `engine-${poolNumber}-${index}`);
    for (const name of names) {
      engines.set(name, new EngineModel(time, { ...ordinarySpeed, ...plan.speed }));
      definitions.push(engineNamed(name, pool.seats));
    }
    for (const id of pool.models) models.push(plainModel(id, names));
  }
  const byId = new Map(models.map((model) => [model.id, model]));
  return {
    time,
    engines,
    catalogue: { models, engines: definitions, directNetworks: [], trustedProxies: [] },
    keyRing: createKeyRing(),
    projects: directoryOf(plan.weights ?? {}),
    logger: silent,
    model(id) {
      const model = byId.get(id);
      if (model === undefined) throw new Error(`There is no model ${id}.`);
      return model;
    },
  };
}

/** A key says whose it is. */
export function keyOf(memberName: string, projectId = 'everyone', lane: LaneName = 'interactive'): string {
  return `${projectId} ${memberName} ${lane}`;
}

/** As the product's own does: a key that was seen lately is looked up, and the grant is the same until it changes. */
function createKeyRing(): KeyRing {
  const known = new Map<string, KeyGrant>();
  return {
    find(secret) {
      let grant = known.get(secret);
      if (grant === undefined) {
        if (known.size >= maxKnownKeys) known.clear();
        grant = grantOf(secret);
        known.set(secret, grant);
      }
      return grant;
    },
    findById: () => undefined,
    noteUse: () => {},
    onWithdrawn: () => {},
  };
}

const maxKnownKeys = 10_000;

function grantOf(secret: string): KeyGrant {
  const [projectId = '', personId = '', lane] = secret.split(' ');
  return {
    keyId: secret,
    personId,
    name: personId,
    models: [],
    projectId,
    lane: lane === 'background' ? 'background' : 'interactive',
    permitsAddress: () => true,
    expiresAt: undefined,
  };
}

function directoryOf(weights: Readonly<Record<string, number>>): ProjectDirectory {
  const known = new Map<string, Project>();
  const find = (id: string) => {
    const project = known.get(id) ?? projectWith(id, weights[id] ?? 1);
    known.set(id, project);
    return project;
  };
  return { find, isMember: () => true, projectsOf: () => [] };
}

function projectWith(id: string, weight: number): Project {
  return {
    id,
    name: id,
    description: '',
    weight,
    models: [],
    endsAt: undefined,
    groups: [],
    sharesPrompts: false,
    isConfigured: false,
  };
}

function engineNamed(name: string, maxConcurrent: number): EngineDefinition {
  return {
    name,
    kind: 'vllm',
    url: 'http://engine',
    socketPath: undefined,
    credential: undefined,
    maxConcurrent,
    embedded: undefined,
  };
}

const silent: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silent,
};
