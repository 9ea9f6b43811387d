import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Model } from '#contract/models';
import { useSession } from '../app/session.tsx';
import { chooseForDraft, draftSettings, settingsOfDraft } from '../composer/draft-settings.ts';
import { draftName } from '../composer/drafts.ts';
import type { AnswerSettings } from './conversation.ts';
import { useDefaultModel } from './use-models.ts';

/** Settings for a chat that is not stored yet, beginning with the person's preferences; kept until it is. */
export function useAnswerSettings(
  kind: 'new' | 'temporary',
  models: readonly Model[],
): {
  readonly settings: AnswerSettings;
  readonly changeSettings: (change: Partial<AnswerSettings>) => void;
  readonly resetSettings: () => void;
} {
  const { id, preferences } = useSession().person;
  const draft = kind === 'temporary' ? kind : draftName(id, null);
  const defaultModel = useDefaultModel()(models);
  const chosen = useSyncExternalStore(draftSettings.subscribe, () => draftSettings.of(draft));
  useEffect(() => () => draftSettings.forget('temporary'), []);
  const settings = useMemo(() => {
    const defaults: AnswerSettings = {
      model: defaultModel,
      effort: preferences.defaultEffort,
      systemPrompt: preferences.systemPrompt,
      parameters: {},
    };
    return settingsOfDraft(chosen, defaults, models);
  }, [defaultModel, preferences, chosen, models]);
  const changeSettings = useCallback(
    (change: Partial<AnswerSettings>) => chooseForDraft(draft, change, preferences),
    [draft, preferences],
  );
  const resetSettings = useCallback(() => draftSettings.change(draft, () => []), [draft]);
  return { settings, changeSettings, resetSettings };
}

/** What is sent: effort only to models that have such a dial. */
export function askedSettings(
  { model: id, effort, systemPrompt, parameters }: AnswerSettings,
  models: readonly Model[],
): AnswerSettings {
  const model = models.find((candidate) => candidate.id === id);
  const hasEffort = (model?.effortLevels.length ?? 0) > 0;
  const { tools, ...withoutTools } = parameters;
  const maySendTools = tools !== undefined && model?.supportsTools === true;
  return {
    model: id,
    effort: hasEffort ? effort : null,
    systemPrompt,
    parameters: maySendTools ? parameters : withoutTools,
  };
}
