import type { ProjectDesk } from '#vocabulary/project-desk';
import type { ProjectDeskParts } from './project-desk.ts';

/** Projects name groups of the sign-in providers; whoever is in one is a member, as long as they are. */
export function createGroupFollower({
  store,
  directory,
  audit,
}: Pick<ProjectDeskParts, 'store' | 'directory' | 'audit'>): ProjectDesk['followGroups'] {
  return async (personId, groups, by) => {
    const before = groupProjectsOf(personId);
    const now = directory
      .list()
      .filter((project) => project.groups.some((group) => groups.has(group)))
      .map(({ id }) => id);
    const joined = now.filter((id) => !before.includes(id));
    const left = before.filter((id) => !now.includes(id));
    if (joined.length + left.length === 0) return;
    await store.setGroupMemberships(personId, now);
    await directory.refresh();
    for (const project of joined)
      await audit.note({
        kind: 'project-member-added',
        by,
        personId,
        detail: { project, role: 'member', isByGroup: true },
      });
    for (const project of left)
      await audit.note({
        kind: 'project-member-removed',
        by,
        personId,
        detail: { project, isByGroup: true },
      });
  };

  function groupProjectsOf(personId: string): readonly string[] {
    return directory
      .memberships()
      .filter((member) => member.personId === personId && member.source === 'group')
      .map(({ projectId }) => projectId);
  }
}
