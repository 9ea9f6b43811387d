import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Preset } from '#contract/presets';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { Icon } from '../design/icon.tsx';
import { Section } from '../design/section.tsx';
import { useWords } from '../language/language.tsx';
import { usePresetsWords } from '../language/presets-words.ts';
import { PresetDialog } from './preset-dialog.tsx';
import { usePresets } from './use-presets.ts';

/** In the settings: one's own, and what the service offers to read. */
export function PresetsSection() {
  const words = usePresetsWords();
  const offered = usePresets()?.filter(({ scope }) => scope === 'service') ?? [];
  return (
    <>
      <Section title={words.title} lead={words.lead}>
        <PresetList scope="person" none={words.none} />
      </Section>
      {offered.length > 0 && (
        <Section title={words.serviceTitle} lead={words.serviceLead}>
          <ul>
            {offered.map((preset) => (
              <li key={preset.id} className="border-t border-hairline py-3.5 first:border-0">
                <PresetFacts preset={preset} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

/** In the administration: those that everybody is offered. */
export function OfferedPresetsSection() {
  const words = usePresetsWords();
  return <PresetList scope="service" none={words.noneOffered} />;
}

interface PresetListProps {
  readonly scope: Preset['scope'];
  readonly none: string;
}

function PresetList({ scope, none }: PresetListProps) {
  const words = usePresetsWords();
  const presets = usePresets()?.filter((preset) => preset.scope === scope);
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
        scope={scope}
        preset={typeof edited === 'object' ? edited : undefined}
      />
    </>
  );
}

function PresetRow({ preset, change }: { readonly preset: Preset; readonly change: () => void }) {
  const words = usePresetsWords();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useRemove(preset);
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
        <p dir="auto" className="text-[0.9375rem]">
          {preset.description}
        </p>
      )}
      {preset.prompt !== '' && (
        <p dir="auto" className="line-clamp-2 text-[0.9375rem] text-ink-soft">
          {preset.prompt}
        </p>
      )}
      {parts.length > 0 && <p className="text-[0.8125rem] text-ink-faint">{parts.join(' · ')}</p>}
    </div>
  );
}

function useRemove({ id: presetId, scope }: Preset) {
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const everywhere = useWords();
  const words = usePresetsWords();
  return useMutation({
    mutationFn: () =>
      scope === 'person'
        ? client.call('DELETE /console/presets/:presetId', { presetId })
        : client.call('DELETE /console/administration/presets/:presetId', { presetId }),
    onSuccess: () => notices.tell(words.deleted),
    onError: (failure) => notices.complain(failureSentence(failure, everywhere)),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.presets }),
  });
}
