import type { Preset } from '#contract/presets';
import { useNotices } from '../app/notices.tsx';
import type { AnswerSettings, Conversation } from '../chat/conversation.ts';
import { useModels } from '../chat/use-models.ts';
import { usePresetsWords } from '../language/presets-words.ts';

/** Makes the settings of a preset those of the chat. What it does not name stays. */
export function useApplyPreset(conversation: Conversation): (preset: Preset) => void {
  const read = useReadPreset();
  return (preset) => {
    const change = read(preset);
    if (Object.keys(change).length > 0) conversation.changeSettings(change);
  };
}

/** The settings that a preset asks for; says so, and what of it there is not. */
export function useReadPreset(): (preset: Preset) => Partial<AnswerSettings> {
  const words = usePresetsWords();
  const models = useModels();
  const notices = useNotices();
  return ({ name, model, effort, systemPrompt, parameters }) => {
    const isServed = model === null || models.some(({ id }) => id === model);
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
