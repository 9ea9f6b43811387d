import type { Clock } from '#vocabulary/clock';
import { type AppliedLimits, limitNames, type Limits, type LimitScope } from '#vocabulary/limits';
import type { Logger } from '#vocabulary/logger';
import type {
  ConfiguredSharing,
  Membership,
  Project,
  ProjectDirectory,
  ProjectSnapshot,
  ProjectStore,
  StoredLimits,
} from '#vocabulary/project';
import { everyone, type LimitedShare } from '#vocabulary/sharing';

/** Projects, members and limits in memory; read again when any process has changed them. */
export interface LiveProjectDirectory extends ProjectDirectory {
  /** Reads everything; until then there is only what the settings say. */
  read(): Promise<void>;
  /** Looks whether any process has changed something; called often. Never rejects. */
  refresh(): Promise<void>;
  configure(configured: ConfiguredSharing): void;
  limitsFor(share: LimitedShare, modelId: string): readonly AppliedLimits[];
  /** What the settings say, before any exception. */
  configuredLimits(scope: LimitScope, subjectId: string): Limits;
  list(): readonly Project[];
  memberships(): readonly Membership[];
  members(projectId: string): readonly Membership[];
  exceptions(): readonly StoredLimits[];
  /** Called whenever anything about projects is different. */
  onChange(listener: () => void): void;
  /** Whether anybody's cost is limited. */
  readonly hasBudgets: boolean;
}

const noLimits: readonly AppliedLimits[] = [];
const scopes: readonly LimitScope[] = ['key', 'person', 'member', 'project'];

export function createProjectDirectory(parts: {
  readonly store: ProjectStore;
  readonly configured: ConfiguredSharing;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called whenever anything about projects or limits is different. */
  readonly changed: () => void;
}): LiveProjectDirectory {
  const { store, clock, logger } = parts;
  let configured = parts.configured;
  let snapshot: ProjectSnapshot = { projects: [], memberships: [], limits: [] };
  let projects = new Map<string, Project>();
  let projectIdsOf = new Map<string, Set<string>>();
  let exceptions = new Map<string, Limits>();
  let limitedModels: readonly string[] = [];
  let hasLimits = false;
  let hasBudgets = false;
  /** By share and model, until something changes: requests of one key come with the same share. */
  let knownLimits = new WeakMap<LimitedShare, Map<string, readonly AppliedLimits[]>>();
  let revision = 0;
  let lastLook = Promise.resolve();
  let isFailing = false;
  const listeners: (() => void)[] = [];
  arrange();

  return {
    find: (projectId) => projects.get(projectId),
    isMember: (projectId, personId) =>
      projectId === everyone || projectIdsOf.get(personId)?.has(projectId) === true,
    projectsOf(personId) {
      const ids = [everyone, ...(projectIdsOf.get(personId) ?? [])];
      const now = clock.wallMs();
      return ids.flatMap((id) => {
        const project = projects.get(id);
        return project === undefined || (project.endsAt ?? Infinity) <= now ? [] : [project];
      });
    },
    limitsFor,
    configuredLimits,
    list: () => [...projects.values()],
    memberships: () => snapshot.memberships,
    members: (projectId) => snapshot.memberships.filter((member) => member.projectId === projectId),
    exceptions: () => snapshot.limits,
    onChange: (listener) => void listeners.push(listener),
    get hasBudgets() {
      return hasBudgets;
    },
    configure(next) {
      configured = next;
      arrange();
    },
    read,
    refresh,
  };

  function limitsFor(share: LimitedShare, modelId: string): readonly AppliedLimits[] {
    if (!hasLimits) return noLimits;
    let byModel = knownLimits.get(share);
    if (byModel === undefined) {
      byModel = new Map();
      knownLimits.set(share, byModel);
    }
    let found = byModel.get(modelId);
    if (found === undefined) {
      found = scopes.flatMap((scope) => limitsOf(scope, share, modelId));
      byModel.set(modelId, found);
    }
    return found;
  }

  function limitsOf(scope: LimitScope, share: LimitedShare, modelId: string): AppliedLimits[] {
    const subjectId = subjectOf(scope, share);
    if (subjectId === undefined) return [];
    const subject = scope === 'member' ? `member:${subjectId}:${share.memberId}` : `${scope}:${subjectId}`;
    const general = mergeLimits(configuredLimits(scope, subjectId), exceptions.get(`${scope} ${subjectId} `));
    const special = limitedModels.includes(modelId)
      ? exceptions.get(`${scope} ${subjectId} ${modelId}`)
      : undefined;
    return [
      ...(isEmpty(general) ? [] : [{ scope, subject, modelId: undefined, limits: general }]),
      ...(special === undefined ? [] : [{ scope, subject, modelId, limits: special }]),
    ];
  }

  function configuredLimits(scope: LimitScope, subjectId: string): Limits {
    const general = configured.defaultLimits[scope];
    if (scope === 'key' || scope === 'person') return general;
    const project = configured.projects.find(({ id }) => id === subjectId);
    return mergeLimits(general, scope === 'project' ? project?.limits : project?.memberLimits);
  }

  /** One look after the other; without the database what is known so far goes on. */
  function refresh(): Promise<void> {
    lastLook = lastLook.then(async () => {
      try {
        if ((await store.readRevision()) !== revision) await read();
        isFailing = false;
      } catch (error) {
        if (!isFailing) logger.error({ error }, 'changes of projects cannot be read; known ones go on');
        isFailing = true;
      }
    });
    return lastLook;
  }

  async function read(): Promise<void> {
    revision = await store.readRevision();
    snapshot = await store.readAll();
    arrange();
  }

  function arrange(): void {
    projects = new Map([[everyone, everyoneProject]]);
    for (const project of snapshot.projects) projects.set(project.id, project);
    for (const project of configured.projects) projects.set(project.id, project);
    projectIdsOf = new Map();
    for (const { personId, projectId } of snapshot.memberships) {
      const ids = projectIdsOf.get(personId) ?? new Set();
      projectIdsOf.set(personId, ids.add(projectId));
    }
    exceptions = new Map(
      snapshot.limits.map(({ scope, subjectId, modelId, limits }) => [
        `${scope} ${subjectId} ${modelId ?? ''}`,
        limits,
      ]),
    );
    limitedModels = snapshot.limits.flatMap(({ modelId }) => modelId ?? []);
    hasLimits = allLimits().some((limits) => !isEmpty(limits));
    hasBudgets = allLimits().some(
      ({ costPerDay, costPerMonth, costInTotal }) =>
        (costPerDay ?? costPerMonth ?? costInTotal) !== undefined,
    );
    knownLimits = new WeakMap();
    parts.changed();
    for (const listener of listeners) listener();
  }

  function allLimits(): readonly Limits[] {
    return [
      ...exceptions.values(),
      ...Object.values(configured.defaultLimits),
      ...configured.projects.flatMap(({ limits, memberLimits }) => [limits, memberLimits]),
    ];
  }
}

const everyoneProject: Project = {
  id: everyone,
  name: 'Everyone',
  description: '',
  weight: 1,
  models: [],
  endsAt: undefined,
  groups: [],
  sharesPrompts: false,
  isConfigured: false,
};

function subjectOf(scope: LimitScope, share: LimitedShare): string | undefined {
  if (scope === 'key') return share.keyId;
  if (scope === 'person') return share.memberId.replace(/^person:/, '');
  return share.projectId;
}

/** Kind by kind: what is said more closely counts, and says nothing about the kinds that it leaves out. */
function mergeLimits(general: Limits, closer: Limits = {}): Limits {
  return Object.fromEntries(
    limitNames.flatMap((name) => {
      const amount = closer[name] ?? general[name];
      return amount === undefined ? [] : [[name, amount]];
    }),
  );
}

function isEmpty(limits: Limits): boolean {
  return Object.values(limits).every((amount) => amount === undefined);
}
