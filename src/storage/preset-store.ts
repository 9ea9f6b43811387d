import type { Kysely } from 'kysely';
import type { Preset, PresetOwner, PresetStore } from '#vocabulary/presets';
import { Refusal } from '#vocabulary/refusal';
import type { PresetsTable } from './preset-tables.ts';
import type { Tables } from './tables.ts';
import { isUniquenessViolation } from './uniqueness.ts';

export function createPresetStore(database: Kysely<Tables>): PresetStore {
  return {
    list: (owner) => list(database, owner),

    async put(owner, preset, admit) {
      const { id, ...row } = writePreset(owner, preset);
      try {
        await database.transaction().execute(async (transaction) => {
          await lockOwner(transaction, owner, preset.updatedAt);
          admit(await list(transaction, owner));
          await transaction
            .insertInto('presets')
            .values({ id, ...row })
            .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
            .execute();
        });
      } catch (cause) {
        if (!isUniquenessViolation(cause)) throw cause;
        throw new Refusal('conflict', `There is a preset /${preset.name} already. Choose another name.`);
      }
    },

    async remove(owner, presetId) {
      await database
        .deleteFrom('presets')
        .where('id', '=', presetId)
        .where('scope', '=', owner.scope)
        .where('owner_id', '=', ownerIdOf(owner))
        .execute();
    },
  };
}

async function list(database: Kysely<Tables>, owner: PresetOwner): Promise<readonly Preset[]> {
  const rows = await database
    .selectFrom('presets')
    .selectAll()
    .where('scope', '=', owner.scope)
    .where('owner_id', '=', ownerIdOf(owner))
    .orderBy('name_folded')
    .execute();
  return rows.map(readPreset);
}

/** Until the end of the transaction nobody else adds one to this owner's. */
async function lockOwner(transaction: Kysely<Tables>, owner: PresetOwner, now: number): Promise<void> {
  switch (owner.scope) {
    case 'person':
      await transaction
        .selectFrom('people')
        .select('id')
        .where('id', '=', owner.personId)
        .forUpdate()
        .execute();
      return;
    case 'project':
      // A project may stand in the settings file: its space is what the database surely has.
      await transaction
        .insertInto('spaces')
        .values({ project_id: owner.projectId, instructions: '', changed_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction
        .selectFrom('spaces')
        .select('project_id')
        .where('project_id', '=', owner.projectId)
        .forUpdate()
        .execute();
      return;
    case 'service':
      await transaction.selectFrom('service').select('place').forUpdate().execute();
  }
}

function ownerIdOf(owner: PresetOwner): string {
  switch (owner.scope) {
    case 'person':
      return owner.personId;
    case 'project':
      return owner.projectId;
    case 'service':
      return '';
  }
}

function readPreset(row: PresetsTable): Preset {
  return {
    id: row.id,
    scope: row.scope,
    projectId: row.scope === 'project' ? row.owner_id : null,
    name: row.name,
    description: row.description,
    model: row.model,
    effort: row.effort,
    systemPrompt: row.system_prompt,
    parameters: row.parameters === null ? null : (JSON.parse(row.parameters) as Preset['parameters']),
    prompt: row.prompt,
    updatedAt: row.updated_at,
  };
}

function writePreset(owner: PresetOwner, preset: Preset): PresetsTable {
  return {
    id: preset.id,
    scope: owner.scope,
    owner_id: ownerIdOf(owner),
    name: preset.name,
    name_folded: preset.name.toLowerCase(),
    description: preset.description,
    model: preset.model,
    effort: preset.effort,
    system_prompt: preset.systemPrompt,
    parameters: preset.parameters === null ? null : JSON.stringify(preset.parameters),
    prompt: preset.prompt,
    updated_at: preset.updatedAt,
  };
}
