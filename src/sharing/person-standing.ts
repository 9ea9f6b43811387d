import type { Standing } from '#vocabulary/limits';
import type { ProjectDesk } from '#vocabulary/project-desk';
import type { LimitedShare } from '#vocabulary/sharing';
import type { ProjectDeskParts } from './project-desk.ts';

/** All that limits one person: as themselves, in each of their projects, with each key that works. */
export function createPersonStanding({
  directory,
  keys,
  catalogue,
  standing,
  clock,
}: Pick<
  ProjectDeskParts,
  'directory' | 'keys' | 'catalogue' | 'standing' | 'clock'
>): ProjectDesk['standing'] {
  return async (personId) => {
    const now = clock.wallMs();
    const projects = directory.projectsOf(personId);
    const usableKeys = (await keys.list(personId)).filter(
      ({ revokedAt, expiresAt }) => revokedAt === undefined && (expiresAt ?? Infinity) > now,
    );
    const memberId = `person:${personId}`;
    const shares: readonly LimitedShare[] = [
      ...projects.map(({ id }) => ({ projectId: id, memberId, keyId: undefined })),
      ...usableKeys.map(({ id, projectId }) => ({ projectId, memberId, keyId: id })),
    ];
    const found = new Map<string, Standing>();
    for (const share of shares)
      for (const modelId of ['', ...catalogue().models.map(({ id }) => id)])
        for (const each of standing(share, modelId))
          found.set(`${each.subject} ${each.modelId ?? ''} ${each.limit}`, each);
    return [...found.values()];
  };
}
