import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
import { type Limits, limitNames } from '#vocabulary/limits';
import type { Project, ProjectChange, ProjectStore, StoredLimits } from '#vocabulary/project';
import { Refusal } from '#vocabulary/refusal';
import type { LimitsTable, ProjectsTable } from './project-tables.ts';
import { removeSpace } from './space-store.ts';
import type { Tables } from './tables.ts';
import { isUniquenessViolation } from './uniqueness.ts';

export function createProjectStore(database: Kysely<Tables>): ProjectStore {
  return {
    async readRevision() {
      const row = await database.selectFrom('project_revision').select('revision').executeTakeFirstOrThrow();
      return row.revision;
    },

    readAll: () =>
      database
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (transaction) => {
          const projects = await transaction.selectFrom('projects').selectAll().orderBy('id').execute();
          const members = await transaction.selectFrom('project_members').selectAll().execute();
          const limits = await transaction.selectFrom('limits').selectAll().execute();
          return {
            projects: projects.map(toProject),
            memberships: members.map(({ project_id: projectId, person_id: personId, role, source }) => ({
              projectId,
              personId,
              role,
              source,
            })),
            limits: limits.map(toStoredLimits),
          };
        }),

    async insert(project) {
      try {
        await database.insertInto('projects').values(toRow(project)).execute();
      } catch (cause) {
        if (isUniquenessViolation(cause))
          throw new Refusal('conflict', `There is a project \`${project.id}\` already.`);
        throw cause;
      }
    },

    async update(projectId, change) {
      const values = toChangedRow(change);
      if (Object.keys(values).length === 0) return true;
      const query = database.updateTable('projects').set(values).where('id', '=', projectId);
      return (await query.executeTakeFirst()).numUpdatedRows > 0n;
    },

    remove: (projectId) =>
      database.transaction().execute(async (transaction) => {
        await removeSpace(transaction, projectId);
        await transaction.deleteFrom('project_members').where('project_id', '=', projectId).execute();
        await transaction
          .deleteFrom('limits')
          .where('scope', 'in', ['project', 'member'])
          .where('subject_id', '=', projectId)
          .execute();
        const result = await transaction
          .deleteFrom('projects')
          .where('id', '=', projectId)
          .executeTakeFirst();
        return result.numDeletedRows > 0n;
      }),

    async putMember({ projectId, personId, role, source }) {
      await database
        .insertInto('project_members')
        .values({ project_id: projectId, person_id: personId, role, source })
        .onConflict((conflict) =>
          conflict.columns(['project_id', 'person_id', 'source']).doUpdateSet({ role }),
        )
        .execute();
    },

    async removeMember(projectId, personId) {
      const query = database
        .deleteFrom('project_members')
        .where('project_id', '=', projectId)
        .where('person_id', '=', personId)
        .where('source', '=', 'added');
      return (await query.executeTakeFirst()).numDeletedRows > 0n;
    },

    setGroupMemberships: (personId, projectIds) =>
      database.transaction().execute(async (transaction) => {
        const rows = await transaction
          .selectFrom('project_members')
          .select('project_id')
          .where('person_id', '=', personId)
          .where('source', '=', 'group')
          .execute();
        const before = new Set(rows.map((row) => row.project_id));
        const gone = [...before].filter((id) => !projectIds.includes(id));
        const fresh = projectIds.filter((id) => !before.has(id));
        if (gone.length > 0)
          await transaction
            .deleteFrom('project_members')
            .where('person_id', '=', personId)
            .where('source', '=', 'group')
            .where('project_id', 'in', gone)
            .execute();
        for (const projectId of fresh)
          await transaction
            .insertInto('project_members')
            .values({ project_id: projectId, person_id: personId, role: 'member', source: 'group' })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
      }),

    async putLimits({ scope, subjectId, modelId, limits }) {
      const amounts = limitNames.filter((name) => limits[name] !== undefined);
      const model = modelId ?? '';
      if (amounts.length === 0) {
        await database
          .deleteFrom('limits')
          .where('scope', '=', scope)
          .where('subject_id', '=', subjectId)
          .where('model', '=', model)
          .execute();
        return;
      }
      const written = JSON.stringify(Object.fromEntries(amounts.map((name) => [name, limits[name]])));
      await database
        .insertInto('limits')
        .values({ scope, subject_id: subjectId, model, amounts: written })
        .onConflict((conflict) =>
          conflict.columns(['scope', 'subject_id', 'model']).doUpdateSet({ amounts: written }),
        )
        .execute();
    },
  };
}

function toProject(row: Selectable<ProjectsTable>): Project {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    weight: row.weight,
    models: JSON.parse(row.models) as string[],
    endsAt: row.ends_at ?? undefined,
    groups: JSON.parse(row.groups) as string[],
    sharesPrompts: row.shares_prompts === 1,
    isConfigured: false,
  };
}

function toRow(project: Project): Insertable<ProjectsTable> {
  return {
    id: project.id,
    name: project.name,
    description: project.description,
    weight: project.weight,
    models: JSON.stringify(project.models),
    ends_at: project.endsAt ?? null,
    groups: JSON.stringify(project.groups),
    shares_prompts: project.sharesPrompts ? 1 : 0,
  };
}

function toChangedRow(change: ProjectChange): Updateable<ProjectsTable> {
  return {
    ...(change.name !== undefined && { name: change.name }),
    ...(change.description !== undefined && { description: change.description }),
    ...(change.weight !== undefined && { weight: change.weight }),
    ...(change.models !== undefined && { models: JSON.stringify(change.models) }),
    ...(change.endsAt !== undefined && { ends_at: change.endsAt }),
    ...(change.groups !== undefined && { groups: JSON.stringify(change.groups) }),
    ...(change.sharesPrompts !== undefined && { shares_prompts: change.sharesPrompts ? 1 : 0 }),
  };
}

function toStoredLimits(row: Selectable<LimitsTable>): StoredLimits {
  return {
    scope: row.scope,
    subjectId: row.subject_id,
    modelId: row.model === '' ? undefined : row.model,
    limits: JSON.parse(row.amounts) as Limits,
  };
}
