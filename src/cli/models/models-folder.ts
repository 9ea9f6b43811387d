import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { createModelFiles } from '#engine/model-files';
import { loadSettings, SettingsMistakes, type SettingsOrigin } from '#settings';
import type { EngineDefinition } from '#vocabulary/catalogue';

export const folderOptions = {
  dir: { type: 'string' },
  settings: { type: 'string' },
} as const;

export interface FolderChoice {
  readonly dir?: string | undefined;
  readonly settings?: string | undefined;
}

export interface ModelsFolder {
  readonly files: ReturnType<typeof createModelFiles>;
  /** Whether the settings find files here by their bare name. */
  readonly isUsual: boolean;
  /** Engines that run a model file; empty when the settings cannot be read. */
  readonly engines: readonly EngineDefinition[];
}

export function openModelsFolder(choice: FolderChoice): ModelsFolder {
  const { dataDir, engines } = readFolderSettings(choice.settings);
  const usual = join(dataDir, 'models');
  const directory = choice.dir === undefined ? usual : resolve(choice.dir);
  const files = createModelFiles({
    directory,
    hub: {
      base: process.env['HF_ENDPOINT'] || 'https://huggingface.co',
      token: process.env['HF_TOKEN'] || undefined,
    },
  });
  return { files, isUsual: directory === usual, engines };
}

/** Settings that name a model which is yet to be pulled are a mistake everywhere but here. */
function readFolderSettings(file: string | undefined) {
  const origin = { file, environment: process.env, workingDirectory: process.cwd() };
  try {
    const { settings } = loadSettings(origin);
    const engines = settings.catalogue.engines.filter(({ embedded }) => embedded !== undefined);
    return { dataDir: settings.dataDir, engines };
  } catch (error) {
    const isAboutEngines = ({ knob }: { knob: string }) => knob.startsWith('engines');
    if (!(error instanceof SettingsMistakes) || !error.mistakes.every(isAboutEngines)) throw error;
    return { dataDir: readDataDir(origin), engines: [] };
  }
}

function readDataDir({ file, environment, workingDirectory }: SettingsOrigin): string {
  const named = environment['GATEHOUSE_DATA_DIR'] || undefined;
  if (named !== undefined) return resolve(workingDirectory, named);
  const path = resolve(workingDirectory, file ?? (environment['GATEHOUSE_SETTINGS'] || 'gatehouse.yaml'));
  const written: unknown = parse(readFileSync(path, 'utf8'));
  const hasFolder = typeof written === 'object' && written !== null && 'dataDir' in written;
  return hasFolder ? resolve(dirname(path), String(written.dataDir)) : resolve(workingDirectory, 'data');
}
