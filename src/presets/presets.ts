/** How do people ask again and again? Presets: named settings of a chat and words of a question. */
import type { Actor, AuditKind, AuditTrail } from '#vocabulary/audit';
import type { Clock } from '#vocabulary/clock';
import { mintId } from '#vocabulary/ids';
import type { Preset, PresetDesk, PresetOwner, PresetStore, PresetWishes } from '#vocabulary/presets';
import { Refusal } from '#vocabulary/refusal';

/** For each owner: one more, or a longer one, is refused. */
const maxPresets = 100;
const maxBytes = 1024 * 1024;
/** Members read those of all their projects at once. */
const maxBytesOfProject = 256 * 1024;

export function createPresetDesk(parts: {
  readonly store: PresetStore;
  readonly audit: Pick<AuditTrail, 'note'>;
  readonly clock: Clock;
}): PresetDesk {
  const { store, audit, clock } = parts;

  return {
    async listFor(personId, projectIds) {
      const owners: readonly PresetOwner[] = [
        { scope: 'person', personId },
        ...projectIds.map((projectId) => ({ scope: 'project', projectId }) as const),
        { scope: 'service' },
      ];
      return (await Promise.all(owners.map((owner) => store.list(owner)))).flat();
    },

    list: (owner) => store.list(owner),

    async create(owner, wishes, by) {
      requireSubstance(wishes);
      const preset = newest(owner, mintId('preset'), wishes);
      await store.put(owner, preset, (known) => {
        if (known.length >= maxPresets)
          throw new Refusal('invalid_request', `There are ${maxPresets} presets. Delete one first.`);
        requireRoom(owner, [...known, wishes]);
      });
      await note('preset-made', owner, preset, by);
      return preset;
    },

    async change(owner, presetId, wishes, by) {
      requireSubstance(wishes);
      const preset = newest(owner, presetId, wishes);
      await store.put(owner, preset, (known) => {
        const others = known.filter(({ id }) => id !== presetId);
        if (others.length === known.length) throw noSuchPreset();
        requireRoom(owner, [...others, wishes]);
      });
      await note('preset-changed', owner, preset, by);
      return preset;
    },

    async remove(owner, presetId, by) {
      const preset = (await store.list(owner)).find(({ id }) => id === presetId);
      if (preset === undefined) throw noSuchPreset();
      await store.remove(owner, presetId);
      await note('preset-removed', owner, preset, by);
    },
  };

  function newest(owner: PresetOwner, id: string, wishes: PresetWishes): Preset {
    const projectId = owner.scope === 'project' ? owner.projectId : null;
    return { ...wishes, id, scope: owner.scope, projectId, updatedAt: clock.wallMs() };
  }

  async function note(kind: AuditKind, owner: PresetOwner, { id, name }: Preset, by: Actor): Promise<void> {
    if (owner.scope === 'person') return;
    const project = owner.scope === 'project' ? { project: owner.projectId } : {};
    await audit.note({ kind, by, detail: { ...project, id, name } });
  }
}

function requireSubstance({ model, effort, systemPrompt, parameters, prompt }: PresetWishes): void {
  const isEmpty = [model, effort, systemPrompt, parameters].every((part) => part === null);
  if (!isEmpty || prompt.trim() !== '') return;
  throw new Refusal(
    'invalid_request',
    'This preset would do nothing. Give it a model, instructions, parameters or a prompt.',
  );
}

function requireRoom({ scope }: PresetOwner, presets: readonly PresetWishes[]): void {
  const bytes = presets.reduce((sum, preset) => sum + Buffer.byteLength(JSON.stringify(preset)), 0);
  const most = scope === 'project' ? maxBytesOfProject : maxBytes;
  if (bytes <= most) return;
  throw new Refusal(
    'invalid_request',
    `All presets together may take ${most / 1024} KiB. Shorten or delete some.`,
  );
}

function noSuchPreset(): Refusal {
  return new Refusal('not_found', 'There is no such preset.');
}
