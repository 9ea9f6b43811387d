import { useLocation } from 'wouter';
import type { Preset } from '#contract/presets';
import { useChatAtHand } from '../app/chat-at-hand.ts';
import { usePaletteWords } from '../language/palette-words.ts';
import { usePresetsWords } from '../language/presets-words.ts';
import { useReadPreset } from '../presets/use-apply-preset.ts';
import { usePresets } from '../presets/use-presets.ts';
import { useSpaces } from '../spaces/use-spaces.ts';
import type { PaletteEntry } from './entry.ts';

/** A new chat begins with a preset; with one of a project it begins there. */
export function usePresetEntries(): readonly PaletteEntry[] {
  const words = usePaletteWords();
  const own = usePresetsWords();
  const presets = usePresets() ?? [];
  const open = useSpaces().filter(({ hasEnded }) => !hasEnded);
  const hand = useChatAtHand();
  const read = useReadPreset();
  const [, goTo] = useLocation();
  return presets
    .filter(({ projectId }) => projectId === null || open.some((space) => space.projectId === projectId))
    .map((preset) => ({
      id: `preset ${preset.id}`,
      icon: 'pencil',
      label: words.startWith(`/${preset.name}`),
      note: noteOf(preset),
      foundBy: preset.description,
      run: () => begin(preset),
    }));

  function noteOf({ scope, projectId, description }: Preset): string {
    if (scope === 'person') return description;
    const whose =
      scope === 'service' ? own.ofService : open.find((space) => space.projectId === projectId)?.name;
    return [description, whose].filter(Boolean).join(' · ');
  }

  function begin(preset: Preset): void {
    const { conversation } = hand.current;
    const isNew = conversation?.kind === 'new';
    const projectId = preset.projectId ?? (isNew ? conversation.projectId : undefined);
    const space = open.find((each) => each.projectId === projectId);
    hand.current.wanted = { settings: read(preset, space), prompt: preset.prompt, projectId };
    if (isNew && conversation.projectId === projectId) hand.current.begin?.();
    else goTo(projectId === undefined ? '/' : `/?space=${encodeURIComponent(projectId)}`);
  }
}
