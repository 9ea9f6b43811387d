import { Section } from '../design/section.tsx';
import { usePresetsWords } from '../language/presets-words.ts';
import { useSpaces } from '../spaces/use-spaces.ts';
import { OfferedPresets, PresetList } from './preset-list.tsx';
import { usePresets } from './use-presets.ts';

/** In the settings: one's own, and what one's projects and the service offer to read. */
export function PresetsSection() {
  const words = usePresetsWords();
  const presets = usePresets();
  const spaces = useSpaces();
  const offered = [
    ...spaces.map(({ projectId, name }) => ({
      id: projectId,
      title: words.projectTitle(name),
      lead: words.projectLead,
      presets: presets?.filter((preset) => preset.projectId === projectId) ?? [],
    })),
    {
      id: 'everybody',
      title: words.serviceTitle,
      lead: words.serviceLead,
      presets: presets?.filter(({ scope }) => scope === 'service') ?? [],
    },
  ].filter((group) => group.presets.length > 0);
  return (
    <>
      <Section title={words.title} lead={`${words.lead} ${offered.length > 0 ? words.order : ''}`}>
        <PresetList
          owner={{ scope: 'person' }}
          presets={presets?.filter(({ scope }) => scope === 'person')}
          none={words.none}
        />
      </Section>
      {offered.map((group) => (
        <Section key={group.id} title={group.title} lead={group.lead}>
          <OfferedPresets presets={group.presets} />
        </Section>
      ))}
    </>
  );
}

/** In the administration: those that everybody is offered. */
export function OfferedPresetsSection() {
  const words = usePresetsWords();
  const presets = usePresets()?.filter(({ scope }) => scope === 'service');
  return <PresetList owner={{ scope: 'service' }} presets={presets} none={words.noneOffered} />;
}
