import type { Standing } from '#vocabulary/limits';
import type { ProjectDesk } from '#vocabulary/project-desk';
import type { ProjectDeskParts } from './project-desk.ts';
import type { ProjectRights } from './project-rights.ts';

/** All that limits a project as a whole, for all models together and for each that has limits of its own. */
export function createProjectStanding(
  { catalogue, standing }: Pick<ProjectDeskParts, 'catalogue' | 'standing'>,
  rights: ProjectRights,
): ProjectDesk['standingOf'] {
  return (asker, projectId) => {
    rights.requireLead(asker, projectId);
    const share = { projectId, memberId: '', keyId: undefined };
    const found = new Map<string, Standing>();
    for (const modelId of ['', ...catalogue().models.map(({ id }) => id)])
      for (const each of standing(share, modelId))
        if (each.scope === 'project') found.set(`${each.modelId ?? ''} ${each.limit}`, each);
    return [...found.values()];
  };
}
