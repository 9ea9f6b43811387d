import type { Project, ProjectRole } from '#vocabulary/project';
import type { ProjectAsker } from '#vocabulary/project-desk';
import { Refusal } from '#vocabulary/refusal';
import { everyone } from '#vocabulary/sharing';
import type { LiveProjectDirectory } from './project-directory.ts';

/** Who may do what with a project. For whoever is not in it, it does not exist. */
export interface ProjectRights {
  find(asker: ProjectAsker, projectId: string): Project;
  roleIn(projectId: string, personId: string): ProjectRole | undefined;
  requireAdministrator(asker: ProjectAsker): void;
  requireLead(asker: ProjectAsker, projectId: string): Project;
  noSuchProject(): Refusal;
}

export function createProjectRights(
  directory: Pick<LiveProjectDirectory, 'find' | 'members'>,
): ProjectRights {
  return {
    find,
    roleIn,
    requireAdministrator({ isAdministrator }) {
      if (!isAdministrator)
        throw new Refusal('permission_denied', 'Only administrators of this service may do this.');
    },
    requireLead(asker, projectId) {
      const project = find(asker, projectId);
      const { by, isAdministrator } = asker;
      if (isAdministrator || (by.kind === 'person' && roleIn(projectId, by.personId) === 'lead'))
        return project;
      throw new Refusal('permission_denied', 'Only leads of this project and administrators may do this.');
    },
    noSuchProject,
  };

  function find({ by, isAdministrator }: ProjectAsker, projectId: string): Project {
    const project = directory.find(projectId);
    const isInside =
      isAdministrator || (by.kind === 'person' && roleIn(projectId, by.personId) !== undefined);
    if (project === undefined || !isInside) throw noSuchProject();
    return project;
  }

  /** Somebody may be there by a group and because they were added: the higher role counts. */
  function roleIn(projectId: string, personId: string): ProjectRole | undefined {
    const roles = directory
      .members(projectId)
      .filter((member) => member.personId === personId)
      .map(({ role }) => role);
    if (roles.includes('lead')) return 'lead';
    return roles.length > 0 || projectId === everyone ? 'member' : undefined;
  }
}

function noSuchProject(): Refusal {
  return new Refusal('not_found', 'There is no such project.', { param: 'projectId' });
}
