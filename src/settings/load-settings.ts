import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { assembleSettings } from './assemble-settings.ts';
import { SettingsMistakes } from './mistakes.ts';
import { mistypedVariables } from './mistyped-variables.ts';
import { readFields } from './read-fields.ts';
import type { Settings } from './settings-shape.ts';
import { settingsTable, type SettingsValues } from './settings-table.ts';
import { readYaml, type Written } from './written.ts';

export interface LoadedSettings {
  readonly settings: Settings;
  /** By knob: `default`, `environment NAME` or `gatehouse.yaml:12`. */
  readonly sources: ReadonlyMap<string, string>;
  /** As a person would write them, secrets masked. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** The file that was read, or that would be read if it existed. Absolute. */
  readonly file: string;
  readonly hasFile: boolean;
}

export interface SettingsOrigin {
  /** Must exist when named. Otherwise `GATEHOUSE_SETTINGS`, or `gatehouse.yaml` in the working directory. */
  readonly file?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly workingDirectory: string;
}

/** Throws `SettingsMistakes` and nothing else. */
export function loadSettings({ file, environment, workingDirectory }: SettingsOrigin): LoadedSettings {
  const named = file ?? (environment['GATEHOUSE_SETTINGS'] || undefined);
  const path = resolve(workingDirectory, named ?? 'gatehouse.yaml');
  const { root, hasFile, mistakes: yamlMistakes } = readFile(path, named !== undefined);
  if (yamlMistakes.length > 0) throw new SettingsMistakes(yamlMistakes);

  const reading = readFields(settingsTable, root, { environment, workingDirectory });
  const mistakes = [...reading.mistakes, ...mistypedVariables(environment)];
  const settings = assembleSettings(reading.values as SettingsValues, {
    isSound: (knob) => !mistakes.some((mistake) => mistake.knob.startsWith(knob)),
    refuse: (knob, problem, remedy) => {
      const place = placeOf(knob, root) ?? reading.sources.get(knob) ?? 'default';
      mistakes.push({ knob, place, problem, remedy });
    },
  });
  if (mistakes.length > 0) throw new SettingsMistakes(mistakes);
  return { settings, sources: reading.sources, shown: reading.shown, file: path, hasFile };
}

function readFile(path: string, mustExist: boolean): ReturnType<typeof readYaml> & { hasFile: boolean } {
  const hasFile = true;
  try {
    const text = readFileSync(path, 'utf8');
    if (text.trim() !== '') return { hasFile, ...readYaml(text, path, dirname(path)) };
    // Half of a save, a full disk, a slip of the hand; whoever wants no settings has no file.
    const remedy = 'Write the settings, or remove the file to run without any.';
    return {
      hasFile,
      root: undefined,
      mistakes: [{ knob: '(file)', place: path, problem: 'The settings file is empty.', remedy }],
    };
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (reason === 'ENOENT' && !mustExist) return { hasFile: false, root: undefined, mistakes: [] };
    const problem = `The settings file cannot be read (${reason}).`;
    return {
      hasFile,
      root: undefined,
      mistakes: [{ knob: '(file)', place: path, problem, remedy: 'Name one that can.' }],
    };
  }
}

/** The innermost part of `models[1].path` that is written in the file. */
function placeOf(knob: string, root: Written | undefined): string | undefined {
  let found: string | undefined;
  let written = root;
  for (const [, name, index] of knob.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    const key = name === undefined ? undefined : written?.keys?.get(name);
    written = name === undefined ? written?.items?.[Number(index)] : key?.value;
    if (written === undefined) return found;
    found = key?.place ?? written.place;
  }
  return found;
}
