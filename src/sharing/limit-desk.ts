import type { Limits } from '#vocabulary/limits';
import type { LimitTarget, ProjectAsker, ProjectDesk } from '#vocabulary/project-desk';
import { Refusal } from '#vocabulary/refusal';
import { checkLimits, checkModel } from './project-checks.ts';
import type { ProjectDeskParts } from './project-desk.ts';
import type { ProjectRights } from './project-rights.ts';

/** Exceptions from the limits that the settings say for everybody. */
export function createLimitDesk(
  { store, directory, people, keys, catalogue, audit }: ProjectDeskParts,
  rights: ProjectRights,
): Pick<ProjectDesk, 'exceptions' | 'limitsOf' | 'setLimits'> {
  return {
    exceptions(asker, projectId) {
      if (projectId === undefined) {
        rights.requireAdministrator(asker);
        return directory.exceptions();
      }
      rights.requireLead(asker, projectId);
      return directory
        .exceptions()
        .filter(({ scope, subjectId }) => scope === 'member' && subjectId === projectId);
    },

    limitsOf(asker, scope, subjectId) {
      if (scope === 'project' || scope === 'member') rights.requireLead(asker, subjectId);
      else rights.requireAdministrator(asker);
      return {
        configured: directory.configuredLimits(scope, subjectId),
        exceptions: directory
          .exceptions()
          .filter((each) => each.scope === scope && each.subjectId === subjectId),
      };
    },

    async setLimits(asker, target, given) {
      const personId = await requireTarget(asker, target);
      const limits = checkLimits(given);
      // What was said for a model that is gone can still be taken back.
      if (target.modelId !== undefined && Object.keys(limits).length > 0)
        checkModel(target.modelId, catalogue());
      await store.putLimits({ ...target, limits });
      await directory.refresh();
      await audit.note({ kind: 'limits-changed', by: asker.by, personId, detail: detailOf(target, limits) });
    },
  };

  /** Gives the person whom it concerns, if it is one. */
  async function requireTarget(
    asker: ProjectAsker,
    { scope, subjectId }: LimitTarget,
  ): Promise<string | undefined> {
    if (scope === 'member') {
      rights.requireLead(asker, subjectId);
      return undefined;
    }
    rights.requireAdministrator(asker);
    if (scope === 'project') {
      rights.find(asker, subjectId);
      return undefined;
    }
    const personId =
      scope === 'key' ? (await keys.find(subjectId))?.personId : (await people.find(subjectId))?.id;
    if (personId === undefined) throw new Refusal('not_found', `There is no such ${scope}.`);
    return personId;
  }
}

function detailOf({ scope, subjectId, modelId }: LimitTarget, limits: Limits) {
  const amounts = Object.entries(limits) as [string, number][];
  return {
    scope,
    subject: subjectId,
    ...(modelId !== undefined && { model: modelId }),
    ...Object.fromEntries(amounts),
    ...(amounts.length === 0 && { isCleared: true }),
  };
}
