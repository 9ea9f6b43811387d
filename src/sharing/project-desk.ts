import type { AuditDetail, AuditTrail } from '#vocabulary/audit';
import type { Catalogue } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { Standing } from '#vocabulary/limits';
import type { Project, ProjectChange, ProjectStore } from '#vocabulary/project';
import type { ProjectDesk, ProjectOfKey } from '#vocabulary/project-desk';
import { Refusal } from '#vocabulary/refusal';
import type { LimitedShare } from '#vocabulary/sharing';
import type { KeyStore, PeopleStore } from '#vocabulary/stores';
import { createGroupFollower } from './group-follower.ts';
import { createLimitDesk } from './limit-desk.ts';
import { createMemberDesk } from './member-desk.ts';
import { createPersonStanding } from './person-standing.ts';
import { createProjectStanding } from './project-standing.ts';
import { checkChange, checkProjectId } from './project-checks.ts';
import type { LiveProjectDirectory } from './project-directory.ts';
import { createProjectRights } from './project-rights.ts';

export interface ProjectDeskParts {
  readonly store: ProjectStore;
  readonly directory: Pick<
    LiveProjectDirectory,
    | 'find'
    | 'list'
    | 'isMember'
    | 'projectsOf'
    | 'memberships'
    | 'members'
    | 'exceptions'
    | 'configuredLimits'
    | 'refresh'
  >;
  readonly people: Pick<PeopleStore, 'find' | 'findByEmail'>;
  readonly keys: Pick<KeyStore, 'find' | 'list'>;
  readonly catalogue: () => Catalogue;
  readonly standing: (share: LimitedShare, modelId: string) => readonly Standing[];
  readonly audit: Pick<AuditTrail, 'note'>;
  readonly clock: Clock;
}

export function createProjectDesk(parts: ProjectDeskParts): ProjectDesk {
  const { store, directory, audit, clock } = parts;
  const rights = createProjectRights(directory);

  return {
    list: ({ by, isAdministrator }) => {
      if (isAdministrator) return directory.list();
      return by.kind === 'person' ? directory.projectsOf(by.personId) : [];
    },
    find: rights.find,
    roleIn: rights.roleIn,
    requireLead: rights.requireLead,

    async create(asker, wishes) {
      rights.requireAdministrator(asker);
      const { id, ...given } = wishes;
      checkProjectId(id);
      refuseTaken(id);
      const change = checkChange(given, parts.catalogue());
      if (typeof change.endsAt === 'number' && change.endsAt <= clock.wallMs())
        throw new Refusal('invalid_parameter', 'The end of a new project lies in the future.', {
          param: 'endsAt',
        });
      const project: Project = {
        id,
        name: change.name ?? id,
        description: change.description ?? '',
        weight: change.weight ?? 1,
        models: change.models ?? [],
        endsAt: change.endsAt ?? undefined,
        groups: change.groups ?? [],
        sharesPrompts: change.sharesPrompts ?? false,
        isConfigured: false,
      };
      await store.insert(project);
      await directory.refresh();
      await audit.note({ kind: 'project-created', by: asker.by, detail: { project: id, ...told(change) } });
      return project;
    },

    async change(asker, projectId, given) {
      rights.requireAdministrator(asker);
      requireStored(rights.find(asker, projectId));
      const change = checkChange(given, parts.catalogue());
      if (!(await store.update(projectId, change))) throw rights.noSuchProject();
      await directory.refresh();
      const detail = { project: projectId, ...told(change) };
      await audit.note({ kind: 'project-changed', by: asker.by, detail });
      return rights.find(asker, projectId);
    },

    async remove(asker, projectId) {
      rights.requireAdministrator(asker);
      requireStored(rights.find(asker, projectId));
      if (!(await store.remove(projectId))) throw rights.noSuchProject();
      await directory.refresh();
      await audit.note({ kind: 'project-removed', by: asker.by, detail: { project: projectId } });
    },

    ...createMemberDesk(parts, rights),
    ...createLimitDesk(parts, rights),
    followGroups: createGroupFollower(parts),

    requireUsable(projectId, personId) {
      const { state } = describe(projectId, personId);
      if (state === 'removed' || state === 'left') throw rights.noSuchProject();
      if (state === 'ended')
        throw new Refusal('project_ended', `The project \`${projectId}\` is over: its keys do not work.`);
    },
    describe,

    standing: createPersonStanding(parts),
    standingOf: createProjectStanding(parts, rights),
  };

  function describe(projectId: string, personId: string): ProjectOfKey {
    const project = directory.find(projectId);
    if (project === undefined) return { name: projectId, state: 'removed' };
    if (!directory.isMember(projectId, personId)) return { name: project.name, state: 'left' };
    const isOver = (project.endsAt ?? Infinity) <= clock.wallMs();
    return { name: project.name, state: isOver ? 'ended' : 'open' };
  }

  function refuseTaken(id: string): void {
    if (directory.find(id)?.isConfigured) throw configured(id);
  }
}

function requireStored({ id, isConfigured }: Project): void {
  if (isConfigured) throw configured(id);
  checkProjectId(id);
}

function configured(id: string): Refusal {
  return new Refusal(
    'conflict',
    `The project \`${id}\` is written in the settings file of the service. Change it there, under \`projects\`.`,
  );
}

/** What is different now, in short values. */
function told(change: ProjectChange): AuditDetail {
  return Object.fromEntries(
    Object.entries(change).flatMap(([name, value]: [string, unknown]) => {
      if (value === undefined) return [];
      return [[name, Array.isArray(value) ? value.join(', ') : describe(name, value)]];
    }),
  );
}

function describe(name: string, value: unknown): string | number | boolean {
  if (name === 'endsAt') return typeof value === 'number' ? new Date(value).toISOString() : 'never';
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}
