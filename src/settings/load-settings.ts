import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { assembleSettings } from './assemble-settings.ts';
import { SettingsMistakes } from './mistakes.ts';
import { joinManaged, managedFileIn, managedFolderIn, type Origins } from './managed-catalogue.ts';
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
  /** Where engines and models stand that were made on the web or by command. */
  readonly managed: { readonly file: string; readonly hasFile: boolean };
  /** Who said each of the engines and models. */
  readonly origins: Origins;
}

export interface SettingsOrigin {
  /** Must exist when named. Otherwise `GATEHOUSE_SETTINGS`, or `gatehouse.yaml` in the working directory. */
  readonly file?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly workingDirectory: string;
  /** In place of what the file of the web holds, to see whether it would do. */
  readonly managedText?: string | undefined;
}

/** Throws `SettingsMistakes` and nothing else. */
export function loadSettings(origin: SettingsOrigin): LoadedSettings {
  const { file, environment, workingDirectory } = origin;
  const named = file ?? (environment['GATEHOUSE_SETTINGS'] || undefined);
  const path = resolve(workingDirectory, named ?? 'gatehouse.yaml');
  const { root: written, hasFile, mistakes: yamlMistakes } = readFile(path, named !== undefined);
  if (yamlMistakes.length > 0) throw new SettingsMistakes(yamlMistakes);
  const managed = readManaged(written, origin);
  if (managed.mistakes.length > 0) throw new SettingsMistakes(managed.mistakes);

  const { root, origins, mistakes: joinMistakes } = joinManaged(written, managed.root, workingDirectory);
  const reading = readFields(settingsTable, root, { environment, workingDirectory });
  const mistakes = [...reading.mistakes, ...joinMistakes, ...mistypedVariables(environment)];
  const settings = assembleSettings(reading.values as SettingsValues, {
    isSound: (knob) => !mistakes.some((mistake) => mistake.knob.startsWith(knob)),
    refuse: (knob, problem, remedy) => {
      const place = placeOf(knob, root) ?? reading.sources.get(knob) ?? 'default';
      mistakes.push({ knob, place, problem, remedy });
    },
  });
  if (mistakes.length > 0) throw new SettingsMistakes(mistakes);
  const { sources, shown } = reading;
  return { settings, sources, shown, file: path, hasFile, managed, origins };
}

/** The data folder has to be known before what stands in it can be. */
function readManaged(
  root: Written | undefined,
  { environment, workingDirectory, managedText }: SettingsOrigin,
): FileReading & { readonly file: string } {
  const { values } = readFields({ dataDir: settingsTable.dataDir }, root, { environment, workingDirectory });
  const { dataDir } = values as { readonly dataDir: string | undefined };
  // Without one there is a mistake, which the whole reading tells.
  if (dataDir === undefined) return { file: '', hasFile: false, root: undefined, mistakes: [] };
  const file = managedFileIn(dataDir);
  const folder = managedFolderIn(dataDir);
  if (managedText === undefined) {
    const unreadable = {
      what: 'The data folder',
      remedy: 'Run this as the user of the service, or name another folder with GATEHOUSE_DATA_DIR.',
    };
    return { file, ...readFile(file, false, folder, unreadable) };
  }
  return { file, hasFile: true, ...readYaml(managedText, file, folder) };
}

type FileReading = ReturnType<typeof readYaml> & { readonly hasFile: boolean };

function readFile(
  path: string,
  mustExist: boolean,
  folder = dirname(path),
  unreadable = {
    what: 'The settings file',
    remedy: 'Name one that can, or write it: a line such as `listen: 127.0.0.1:8080` is enough.',
  },
): FileReading {
  const hasFile = true;
  try {
    const text = readFileSync(path, 'utf8');
    if (text.trim() !== '') return { hasFile, ...readYaml(text, path, folder) };
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
    const problem = `${unreadable.what} cannot be read (${reason}).`;
    return {
      hasFile,
      root: undefined,
      mistakes: [{ knob: '(file)', place: path, problem, remedy: unreadable.remedy }],
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
