import type { Preset } from '#contract/presets';
import { useNotices } from '../app/notices.tsx';
import type { AnswerSettings, Conversation } from '../chat/conversation.ts';
import { useModels } from '../chat/use-models.ts';
import { usePresetsWords } from '../language/presets-words.ts';
import { modelsIn, useSpaceOf } from '../spaces/use-spaces.ts';

/** Makes the settings of a preset those of the chat. What it does not name stays. */
export function useApplyPreset(conversation: Conversation): (preset: Preset) => void {
  const read = useReadPreset();
  const space = useSpaceOf(conversation);
  return (preset) => {
    const change = read(preset, space);
    if (Object.keys(change).length > 0) conversation.changeSettings(change);
  };
}

type ReadPreset = (
  preset: Preset,
  /** The project of the chat that they are for. */
  space: { readonly models: readonly string[] } | undefined,
) => Partial<AnswerSettings>;

/** The settings that a preset asks for; says so, and what of it there is not. */
export function useReadPreset(): ReadPreset {
  const words = usePresetsWords();
  const models = useModels();
  const notices = useNotices();
  return ({ name, model, effort, systemPrompt, parameters }, space) => {
    const isServed = model === null || modelsIn(space, models).some(({ id }) => id === model);
    const change: Partial<AnswerSettings> = {
      ...(model !== null && isServed && { model }),
      ...(effort !== null && { effort }),
      ...(systemPrompt !== null && { systemPrompt }),
      ...(parameters !== null && { parameters }),
    };
    if (Object.keys(change).length > 0) notices.tell(words.applied(name));
    if (!isServed) notices.complain(words.modelMissing(model));
    return change;
  };
}
