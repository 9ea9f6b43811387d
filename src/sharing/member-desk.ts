import { countedOrder } from '#contract/counted-order';
import type { ProjectDesk } from '#vocabulary/project-desk';
import { Refusal } from '#vocabulary/refusal';
import { everyone } from '#vocabulary/sharing';
import type { ProjectDeskParts } from './project-desk.ts';
import type { ProjectRights } from './project-rights.ts';

const inOrder = countedOrder();

/** Who is in a project. Also in one that the settings file describes: it names groups, not people. */
export function createMemberDesk(
  { store, directory, people, audit, clock }: ProjectDeskParts,
  rights: ProjectRights,
): Pick<
  ProjectDesk,
  'members' | 'countMembers' | 'leadsOf' | 'membershipsOf' | 'joinProjects' | 'putMember' | 'removeMember'
> {
  return {
    async members(asker, projectId) {
      rights.requireLead(asker, projectId);
      const memberships = directory.members(projectId);
      const ids = [...new Set(memberships.map(({ personId }) => personId))];
      const found = await Promise.all(
        ids.map(async (personId) => {
          const person = await people.find(personId);
          const role = rights.roleIn(projectId, personId) ?? 'member';
          const isByGroup = isInByGroup(projectId, personId);
          return person === undefined
            ? []
            : [{ personId, email: person.email, name: person.name, role, isByGroup }];
        }),
      );
      return found.flat().sort((a, b) => inOrder(a.email, b.email));
    },

    countMembers: (projectId) => new Set(directory.members(projectId).map(({ personId }) => personId)).size,

    async leadsOf(projectId) {
      const leads = directory.members(projectId).filter(({ role }) => role === 'lead');
      const found = await Promise.all(leads.map(({ personId }) => people.find(personId)));
      return [...new Set(found.flatMap((person) => (person === undefined ? [] : person.name)))];
    },

    membershipsOf(personId) {
      const ids = new Set(
        directory.memberships().flatMap((member) => (member.personId === personId ? member.projectId : [])),
      );
      return [...ids].flatMap((projectId) => {
        const project = directory.find(projectId);
        const role = rights.roleIn(projectId, personId);
        if (project === undefined || role === undefined) return [];
        const { name, endsAt, models } = project;
        return [{ projectId, name, role, isByGroup: isInByGroup(projectId, personId), endsAt, models }];
      });
    },

    async joinProjects(personId, projectIds, by) {
      const now = clock.wallMs();
      const open = projectIds.filter((id) => {
        const project = directory.find(id);
        return id !== everyone && project !== undefined && (project.endsAt ?? Infinity) > now;
      });
      for (const projectId of open)
        await store.putMember({ projectId, personId, role: 'member', source: 'added' });
      await directory.refresh();
      for (const project of open) {
        const detail = { project, role: 'member', isByInvitation: true };
        await audit.note({ kind: 'project-member-added', by, personId, detail });
      }
    },

    async putMember(asker, projectId, email, role) {
      rights.requireLead(asker, projectId);
      refuseEveryone(projectId);
      const person = await people.findByEmail(email);
      if (person === undefined)
        throw new Refusal('not_found', 'Nobody here has this e-mail address. Invite the person first.', {
          param: 'email',
        });
      const before = rights.roleIn(projectId, person.id);
      if (role === 'lead' || before === 'lead') rights.requireAdministrator(asker);
      await store.putMember({ projectId, personId: person.id, role, source: 'added' });
      await directory.refresh();
      const detail = { project: projectId, role };
      await audit.note({ kind: 'project-member-added', by: asker.by, personId: person.id, detail });
    },

    async removeMember(asker, projectId, personId) {
      rights.requireLead(asker, projectId);
      refuseEveryone(projectId);
      const role = rights.roleIn(projectId, personId);
      if (role === 'lead') rights.requireAdministrator(asker);
      if (role === undefined)
        throw new Refusal('not_found', 'This person is not a member of the project.', { param: 'personId' });
      const wasAdded = await store.removeMember(projectId, personId);
      await directory.refresh();
      if (wasAdded) {
        const detail = { project: projectId };
        await audit.note({ kind: 'project-member-removed', by: asker.by, personId, detail });
      }
      if (isInByGroup(projectId, personId))
        throw new Refusal(
          'conflict',
          'The sign-in provider says that this person is in a group of the project. Take them out of the group there.',
        );
    },
  };

  function isInByGroup(projectId: string, personId: string): boolean {
    return directory
      .members(projectId)
      .some((member) => member.personId === personId && member.source === 'group');
  }
}

function refuseEveryone(projectId: string): void {
  if (projectId === everyone)
    throw new Refusal('conflict', 'Everybody is a member of `everyone`, and stays one.');
}
