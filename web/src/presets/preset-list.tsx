import { useState } from 'react';
import type { Preset } from '#contract/presets';
import { Button } from '../design/button.tsx';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { Icon } from '../design/icon.tsx';
import { usePresetsWords } from '../language/presets-words.ts';
import { PresetDialog } from './preset-dialog.tsx';
import { type PresetOwner, useRemovePreset } from './use-preset-writing.ts';

interface PresetListProps {
  readonly owner: PresetOwner;
  /** Undefined until they are there. */
  readonly presets: readonly Preset[] | undefined;
  readonly none: string;
}

/** For whoever looks after them. */
export function PresetList({ owner, presets, none }: PresetListProps) {
  const words = usePresetsWords();
  const [edited, setEdited] = useState<Preset | 'new'>();
  return (
    <>
      <Button onClick={() => setEdited('new')}>
        <Icon name="plus" size={16} />
        {words.create}
      </Button>
      {presets?.length === 0 && (
        <p className="mt-4 rounded-xl border border-dashed border-edge px-6 py-8 text-ink-soft">{none}</p>
      )}
      <ul className="mt-3">
        {presets?.map((preset) => (
          <PresetRow key={preset.id} preset={preset} change={() => setEdited(preset)} />
        ))}
      </ul>
      <PresetDialog
        key={typeof edited === 'object' ? edited.id : 'new'}
        isOpen={edited !== undefined}
        close={() => setEdited(undefined)}
        owner={owner}
        preset={typeof edited === 'object' ? edited : undefined}
      />
    </>
  );
}

/** For whoever only uses them. */
export function OfferedPresets({ presets }: { readonly presets: readonly Preset[] }) {
  return (
    <ul>
      {presets.map((preset) => (
        <li key={preset.id} className="border-t border-hairline py-3.5 first:border-0">
          <PresetFacts preset={preset} />
        </li>
      ))}
    </ul>
  );
}

function PresetRow({ preset, change }: { readonly preset: Preset; readonly change: () => void }) {
  const words = usePresetsWords();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useRemovePreset(preset);
  return (
    <li className="flex items-start justify-between gap-4 border-t border-hairline py-3.5 first:border-0">
      <PresetFacts preset={preset} />
      <div className="flex shrink-0 gap-2">
        <Button size="small" onClick={change}>
          {words.change}
        </Button>
        <Button size="small" kind="quiet" onClick={() => setIsAsking(true)}>
          {words.delete}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        close={() => setIsAsking(false)}
        title={words.delete}
        sentence={words.deleteQuestion(preset.name)}
        action={words.delete}
        confirm={() => remove.mutate()}
      />
    </li>
  );
}

function PresetFacts({ preset }: { readonly preset: Preset }) {
  const words = usePresetsWords();
  const parts = [
    preset.model,
    preset.effort === null ? null : words.efforts[preset.effort],
    preset.systemPrompt === null ? null : words.instructions,
    preset.parameters === null ? null : words.parameters,
  ].filter((part) => part !== null);
  return (
    <div className="min-w-0">
      <p className="font-mono text-[0.9375rem] font-[550]">/{preset.name}</p>
      {preset.description !== '' && (
        <p dir="auto" className="text-match text-[0.9375rem]">
          {preset.description}
        </p>
      )}
      {preset.prompt !== '' && (
        <p dir="auto" className="text-match line-clamp-2 text-[0.9375rem] text-ink-soft">
          {preset.prompt}
        </p>
      )}
      {parts.length > 0 && <p className="text-[0.8125rem] text-ink-faint">{parts.join(' · ')}</p>}
    </div>
  );
}
