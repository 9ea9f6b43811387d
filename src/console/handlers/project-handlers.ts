import type { Standing } from '#vocabulary/limits';
import type { Project, StoredLimits } from '#vocabulary/project';
import type { LimitsInForce, ProjectAsker } from '#vocabulary/project-desk';
import { everyone } from '#vocabulary/sharing';
import type { projectRoutes, ProjectRecord, ProjectStanding } from '#contract/projects';
import { actorOf, askerOf } from '../actor-of.ts';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { byName } from '../views.ts';

/** Who may do what the desk decides: it knows the leads. */
export function createProjectHandlers({
  projectDesk,
  catalogue,
}: ConsoleParts): HandlersOf<typeof projectRoutes> {
  return {
    'GET /console/standing': async ({ session, device }) => {
      const personId = session.person.id;
      const own = projectDesk.list({ by: actorOf(session, device), isAdministrator: false });
      return {
        projects: await Promise.all(
          own.map(async (project) => ({
            ...viewProject(project, personId),
            leads: await projectDesk.leadsOf(project.id),
          })),
        ),
        standing: (await projectDesk.standing(personId)).map(viewStanding),
      };
    },

    'GET /console/projects/:projectId': async ({ session, device, parameters }) => {
      const asker = askerOf(session, device);
      const { projectId } = parameters;
      const project = projectDesk.requireLead(asker, projectId);
      return {
        project: viewRecord(project, session.person.id),
        networks: catalogue()
          .directNetworks.filter((network) => (network.project ?? everyone) === projectId)
          .map(({ cidr }) => cidr),
        members: await projectDesk.members(asker, projectId),
        limits: viewLimits(projectDesk.limitsOf(asker, 'project', projectId)),
        memberLimits: viewLimits(projectDesk.limitsOf(asker, 'member', projectId)),
        standing: projectDesk.standingOf(asker, projectId).map(viewStanding),
      };
    },

    'GET /console/projects/:projectId/members': async ({ session, device, parameters }) =>
      viewMembers(askerOf(session, device), parameters.projectId),

    'PUT /console/projects/:projectId/members': async ({ session, device, parameters, body }) => {
      const asker = askerOf(session, device);
      await projectDesk.putMember(asker, parameters.projectId, body.email, body.role);
      return viewMembers(asker, parameters.projectId);
    },

    'DELETE /console/projects/:projectId/members/:personId': async ({ session, device, parameters }) => {
      const asker = askerOf(session, device);
      await projectDesk.removeMember(asker, parameters.projectId, parameters.personId);
      return viewMembers(asker, parameters.projectId);
    },

    'GET /console/projects/:projectId/member-limits': async ({ session, device, parameters }) =>
      viewExceptions(askerOf(session, device), parameters.projectId),

    'PUT /console/projects/:projectId/member-limits': async ({ session, device, parameters, body }) => {
      const asker = askerOf(session, device);
      const { projectId } = parameters;
      const target = { scope: 'member', subjectId: projectId, modelId: body.modelId ?? undefined } as const;
      await projectDesk.setLimits(asker, target, body.limits);
      return viewExceptions(asker, projectId);
    },

    'GET /console/administration/projects': async ({ session, device }) => {
      const asker = askerOf(session, device);
      const isOfAll = ({ id }: Project) => Number(id === everyone);
      const projects = projectDesk.list(asker).toSorted((a, b) => isOfAll(b) - isOfAll(a) || byName(a, b));
      const listed = projects.map(async (project) => ({
        ...viewRecord(project, session.person.id),
        members: projectDesk.countMembers(project.id),
        leads: await projectDesk.leadsOf(project.id),
        standing: projectDesk.standingOf(asker, project.id).map(viewStanding),
      }));
      return { projects: await Promise.all(listed) };
    },

    'POST /console/administration/projects': async ({ session, device, body }) => {
      const wishes = { ...body, endsAt: body.endsAt ?? undefined };
      return viewRecord(await projectDesk.create(askerOf(session, device), wishes), session.person.id);
    },

    'PATCH /console/administration/projects/:projectId': async ({ session, device, parameters, body }) => {
      const changed = await projectDesk.change(askerOf(session, device), parameters.projectId, body);
      return viewRecord(changed, session.person.id);
    },

    'DELETE /console/administration/projects/:projectId': async ({ session, device, parameters }) => {
      await projectDesk.remove(askerOf(session, device), parameters.projectId);
      return { done: true };
    },

    'GET /console/administration/limits': async ({ session, device }) =>
      viewAllLimits(askerOf(session, device)),

    'PUT /console/administration/limits': async ({ session, device, body }) => {
      const { limits, ...target } = body;
      const asker = askerOf(session, device);
      await projectDesk.setLimits(asker, { ...target, modelId: target.modelId ?? undefined }, limits);
      return viewAllLimits(asker);
    },
  };

  async function viewMembers(asker: ProjectAsker, projectId: string) {
    return { members: await projectDesk.members(asker, projectId) };
  }

  function viewExceptions(asker: ProjectAsker, projectId?: string) {
    return { exceptions: projectDesk.exceptions(asker, projectId).map(viewException) };
  }

  function viewAllLimits(asker: ProjectAsker) {
    return {
      ...viewExceptions(asker),
      configured: {
        key: projectDesk.limitsOf(asker, 'key', '').configured,
        person: projectDesk.limitsOf(asker, 'person', '').configured,
      },
    };
  }

  function viewProject(project: Project, personId: string) {
    const { id, name, description, weight, models, endsAt } = project;
    const role = projectDesk.roleIn(id, personId) ?? null;
    return { id, name, description, weight, models, endsAt: endsAt ?? null, role };
  }

  function viewRecord(project: Project, personId: string): ProjectRecord {
    const { groups, sharesPrompts, isConfigured } = project;
    return { ...viewProject(project, personId), groups, sharesPrompts, isConfigured };
  }
}

function viewLimits({ configured, exceptions }: LimitsInForce) {
  return { configured, exceptions: exceptions.map(viewException) };
}

function viewException({ scope, subjectId, modelId, limits }: StoredLimits) {
  return { scope, subjectId, modelId: modelId ?? null, limits };
}

/** Subjects are written like `key:<id>`, and for members `member:<project>:<member>`. */
export function viewStanding({
  scope,
  subject,
  modelId,
  limit,
  amount,
  used,
  renewsAt,
}: Standing): ProjectStanding {
  const [, subjectId = ''] = subject.split(':');
  return {
    scope,
    keyId: scope === 'key' ? subjectId : null,
    projectId: scope === 'project' || scope === 'member' ? subjectId : null,
    modelId: modelId ?? null,
    limit,
    amount,
    used,
    left: Math.max(0, amount - used),
    renewsAt: renewsAt === undefined ? null : Math.ceil(renewsAt),
  };
}
