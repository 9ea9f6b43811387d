import type { Kysely } from 'kysely';
import type { Preset, PresetOwner, PresetStore } from '#vocabulary/presets';
import { Refusal } from '#vocabulary/refusal';
import type { PresetsTable } from './preset-tables.ts';
import type { Tables } from './tables.ts';
import { isUniquenessViolation } from './uniqueness.ts';

export function createPresetStore(database: Kysely<Tables>): PresetStore {
  return {
    async list(owner) {
      const rows = await database
        .selectFrom('presets')
        .selectAll()
        .where('scope', '=', owner.scope)
        .where('owner_id', '=', ownerIdOf(owner))
        .orderBy('name_folded')
        .execute();
      return rows.map(readPreset);
    },

    async put(owner, preset) {
      const { id, ...row } = writePreset(owner, preset);
      try {
        await database
          .insertInto('presets')
          .values({ id, ...row })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          .execute();
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

function ownerIdOf(owner: PresetOwner): string {
  return owner.scope === 'person' ? owner.personId : '';
}

function readPreset(row: PresetsTable): Preset {
  return {
    id: row.id,
    scope: row.scope,
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
