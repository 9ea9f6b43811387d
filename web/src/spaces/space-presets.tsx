import type { Space } from '#contract/spaces';
import { Section } from '../design/section.tsx';
import { usePresetsWords } from '../language/presets-words.ts';
import { OfferedPresets, PresetList } from '../presets/preset-list.tsx';
import { useSpacePresets } from '../presets/use-presets.ts';

/** Ways of asking for the chats of a project: leads write them, members find them behind a slash. */
export function SpacePresets({ space }: { readonly space: Space }) {
  const words = usePresetsWords();
  const { projectId } = space;
  const presets = useSpacePresets(projectId);
  return (
    <Section title={words.title} lead={`${words.inProjectLead} ${words.order}`}>
      {space.isKeeper ? (
        <PresetList owner={{ scope: 'project', projectId }} presets={presets} none={words.noneInProject} />
      ) : presets?.length === 0 ? (
        <p className="text-ink-soft">{words.noneOffered}</p>
      ) : (
        <OfferedPresets presets={presets ?? []} />
      )}
    </Section>
  );
}
