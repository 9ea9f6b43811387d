/** How do people ask again and again? Presets: named settings of a chat and words of a question. */
import type { AuditTrail } from '#vocabulary/audit';
import type { Clock } from '#vocabulary/clock';
import { mintId } from '#vocabulary/ids';
import type { PresetDesk, PresetStore, PresetWishes } from '#vocabulary/presets';
import { Refusal } from '#vocabulary/refusal';

/** For each owner: one more, or a longer one, is refused. */
const maxPresets = 100;
const maxBytes = 1024 * 1024;

export function createPresetDesk(parts: {
  readonly store: PresetStore;
  readonly audit: Pick<AuditTrail, 'note'>;
  readonly clock: Clock;
}): PresetDesk {
  const { store, audit, clock } = parts;

  return {
    async listFor(personId) {
      const [own, offered] = await Promise.all([
        store.list({ scope: 'person', personId }),
        store.list({ scope: 'service' }),
      ]);
      return [...own, ...offered];
    },

    list: (owner) => store.list(owner),

    async create(owner, wishes, by) {
      const known = await store.list(owner);
      if (known.length >= maxPresets) {
        throw new Refusal('invalid_request', `There are ${maxPresets} presets. Delete one first.`);
      }
      requireSubstance(wishes);
      requireRoom([...known, wishes]);
      const preset = { ...wishes, id: mintId('preset'), scope: owner.scope, updatedAt: clock.wallMs() };
      await store.put(owner, preset);
      if (owner.scope === 'service') await audit.note({ kind: 'preset-made', by, detail: told(preset) });
      return preset;
    },

    async change(owner, presetId, wishes, by) {
      const known = await store.list(owner);
      const before = known.find(({ id }) => id === presetId);
      if (before === undefined) throw noSuchPreset();
      requireSubstance(wishes);
      requireRoom([...known.filter((preset) => preset !== before), wishes]);
      const preset = { ...before, ...wishes, updatedAt: clock.wallMs() };
      await store.put(owner, preset);
      if (owner.scope === 'service') await audit.note({ kind: 'preset-changed', by, detail: told(preset) });
      return preset;
    },

    async remove(owner, presetId, by) {
      const preset = (await store.list(owner)).find(({ id }) => id === presetId);
      if (preset === undefined) throw noSuchPreset();
      await store.remove(owner, presetId);
      if (owner.scope === 'service') await audit.note({ kind: 'preset-removed', by, detail: told(preset) });
    },
  };
}

function told({ id, name }: { readonly id: string; readonly name: string }) {
  return { id, name };
}

function requireSubstance({ model, effort, systemPrompt, parameters, prompt }: PresetWishes): void {
  const isEmpty = [model, effort, systemPrompt, parameters].every((part) => part === null);
  if (!isEmpty || prompt.trim() !== '') return;
  throw new Refusal(
    'invalid_request',
    'This preset would do nothing. Give it a model, instructions, parameters or a prompt.',
  );
}

function requireRoom(presets: readonly PresetWishes[]): void {
  const bytes = presets.reduce((sum, preset) => sum + Buffer.byteLength(JSON.stringify(preset)), 0);
  if (bytes <= maxBytes) return;
  throw new Refusal('invalid_request', 'All presets together may take one megabyte. Shorten or delete some.');
}

function noSuchPreset(): Refusal {
  return new Refusal('not_found', 'There is no such preset.');
}
