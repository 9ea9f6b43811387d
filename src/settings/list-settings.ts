import { everyKnob } from './every-knob.ts';
import type { LoadedSettings } from './load-settings.ts';
import { shownAt } from './shown-at.ts';

/** One line about one knob, for a page that shows them all. */
export interface SettingInEffect {
  readonly name: string;
  /** As a person would write it; secrets read `set` or `not set`. */
  readonly value: string;
  readonly source: string;
  readonly meaning: string;
  readonly isSecret: boolean;
}

export function listSettings(loaded: LoadedSettings): readonly SettingInEffect[] {
  return everyKnob().map(({ name, field }) => {
    const shown = shownAt(loaded.shown, name);
    const isSecret = field.kind === 'knob' && field.isSecret;
    return {
      name,
      value: shown === undefined ? 'not set' : isSecret ? 'set' : textOf(shown),
      source: loaded.sources.get(name) ?? 'default',
      meaning: field.meaning,
      isSecret,
    };
  });
}

function textOf(shown: unknown): string {
  return typeof shown === 'string' ? shown : JSON.stringify(shown);
}
