import { useCallback, useMemo, useState } from 'react';
import type { Model } from '#contract/models';
import { useSession } from '../app/session.tsx';
import type { AnswerSettings } from './conversation.ts';
import { useDefaultModel } from './use-models.ts';

/** Settings for a chat that is not stored yet, beginning with the person's preferences. */
export function useAnswerSettings(models: readonly Model[]): {
  readonly settings: AnswerSettings;
  readonly changeSettings: (change: Partial<AnswerSettings>) => void;
  readonly resetSettings: () => void;
} {
  const { preferences } = useSession().person;
  const defaultModel = useDefaultModel()(models);
  const [changes, setChanges] = useState<Partial<AnswerSettings>>({});
  const settings = useMemo(() => {
    const defaults: AnswerSettings = {
      model: defaultModel,
      effort: preferences.defaultEffort,
      systemPrompt: preferences.systemPrompt,
      parameters: {},
    };
    return { ...defaults, ...changes };
  }, [defaultModel, preferences, changes]);
  const changeSettings = useCallback(
    (change: Partial<AnswerSettings>) => setChanges((now) => ({ ...now, ...change })),
    [],
  );
  const resetSettings = useCallback(() => setChanges({}), []);
  return { settings, changeSettings, resetSettings };
}

/** What is sent: effort only to models that have such a dial. */
export function sentSettings(settings: AnswerSettings, models: readonly Model[]): AnswerSettings {
  const model = models.find((candidate) => candidate.id === settings.model);
  const hasEffort = (model?.effortLevels.length ?? 0) > 0;
  const { tools, ...withoutTools } = settings.parameters;
  const maySendTools = tools !== undefined && model?.supportsTools === true;
  return {
    ...settings,
    effort: hasEffort ? settings.effort : null,
    parameters: maySendTools ? settings.parameters : withoutTools,
  };
}
