import type { Preferences } from '#contract/session';
import type { WhenFull } from '#contract/summaries';
import { usePreferences } from '../settings/use-preferences.ts';
import type { Conversation } from './conversation.ts';

/** What becomes of the oldest messages where they no longer fit: as this chat has it, else as its person has it. */
export function useWhenFull({ settings, changeSettings }: Conversation): {
  readonly whenFull: Preferences['whenFull'];
  readonly choose: (whenFull: WhenFull) => void;
} {
  const { preferences } = usePreferences();
  return {
    whenFull: settings.parameters.whenFull ?? preferences.whenFull,
    choose: (whenFull) => changeSettings({ parameters: { ...settings.parameters, whenFull } }),
  };
}
