import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import {
  type CatalogueList,
  type EntryFields,
  type EntryOrigin,
  managedFileName,
} from '#vocabulary/catalogue-desk';
import type { SettingsMistake } from './mistakes.ts';
import { settingsTable } from './settings-table.ts';
import { writtenAs, type Written, type WrittenKey } from './written.ts';

/**
 * Engines and models that were made on the web or by command. They stand in a file of their own in the data folder,
 * in the form of the settings file, and are read behind what the operator wrote.
 */
export const managedFileIn = (dataDir: string): string => join(dataDir, managedFileName);

/** Paths in that file mean files of this folder. */
export const managedFolderIn = (dataDir: string): string => join(dataDir, 'models');

/** What stands in it. */
export type Managed = Readonly<Record<CatalogueList, readonly EntryFields[]>>;

export function readManagedFile(file: string): { readonly text: string; readonly managed: Managed } {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return { text, managed: parseManaged(text) };
}

export function parseManaged(text: string): Managed {
  const { engines = [], models = [] } = (parse(text) ?? {}) as Partial<Managed>;
  return { engines, models };
}

export function managedText(managed: Managed): string {
  return stringify(managed, { aliasDuplicateObjects: false });
}

export type Origins = Readonly<Record<CatalogueList, readonly EntryOrigin[]>>;

const lists: readonly CatalogueList[] = ['engines', 'models'];

export interface Joined {
  readonly root: Written | undefined;
  /** Of each entry of the joined lists. */
  readonly origins: Origins;
  readonly mistakes: readonly SettingsMistake[];
}

/** What the operator wrote wins: an entry of the same name is left out here. */
export function joinManaged(
  root: Written | undefined,
  managed: Written | undefined,
  workingDirectory: string,
): Joined {
  const keys = new Map<string, WrittenKey>(root?.keys);
  const origins: Record<CatalogueList, readonly EntryOrigin[]> = { engines: [], models: [] };
  const mistakes = unknownKeys(managed);
  for (const list of lists) {
    const inFile = root?.keys?.get(list)?.value;
    const base = inFile ?? writtenAs(settingsTable[list].fallback, 'default', workingDirectory);
    const origin = inFile === undefined ? 'built-in' : 'settings-file';
    const baseItems = base.items ?? [];
    const taken = new Set(baseItems.map((item) => nameOf(list, item)));
    const made = managed?.keys?.get(list)?.value;
    const added = (made?.items ?? []).filter((item) => !taken.has(nameOf(list, item)));
    origins[list] = [...baseItems.map(() => origin), ...added.map(() => 'here' as const)] as const;
    // What is no list is a mistake of the settings file, and stays one.
    if (added.length === 0 || base.items === undefined) continue;
    const items = [...baseItems, ...added];
    const place = `${base.place.replace(/^(.*:\d+):\d+$/, '$1')} and ${managedFileName}`;
    const value = { ...base, place, items, plain: items.map(({ plain }) => plain) };
    keys.set(list, { place, value });
    if (list === 'engines')
      for (const [index, item] of added.entries())
        mistakes.push(...beyondTheWeb(item, `engines[${baseItems.length + index}]`));
  }
  if (keys.size === 0 || (root !== undefined && root.keys === undefined)) return { root, origins, mistakes };
  const place = root?.place ?? `${managedFileName}:1:1`;
  const plain = Object.fromEntries([...keys].map(([name, { value }]) => [name, value.plain]));
  return {
    root: { place, folder: root?.folder ?? workingDirectory, plain, keys, items: undefined },
    origins,
    mistakes,
  };
}

/** Callers write ids in any letter case; engines are named by operators alone. */
export function nameOf(list: CatalogueList, { plain }: Pick<Written, 'plain'>): string | undefined {
  if (typeof plain !== 'object' || plain === null) return undefined;
  const { name, id } = plain as Readonly<Record<string, unknown>>;
  const found = list === 'engines' ? name : id;
  if (typeof found !== 'string') return undefined;
  return list === 'engines' ? found : found.toLowerCase();
}

function unknownKeys(managed: Written | undefined): SettingsMistake[] {
  return [...(managed?.keys ?? [])].flatMap(([name, { place, value }]) => {
    if (!lists.some((list) => list === name))
      return {
        knob: name,
        place,
        problem: 'There is no such list here.',
        remedy: 'Keep engines and models.',
      };
    if (value.items === undefined)
      return { knob: name, place, problem: 'It is not a list.', remedy: 'Write a list of entries.' };
    return [];
  });
}

/** Whoever administers on the web need not be who runs the machine: its files, sockets and variables stay closed. */
function beyondTheWeb(engine: Written, knob: string): readonly SettingsMistake[] {
  const isWritten = (name: string) => engine.keys?.has(name) ?? false;
  const textOf = (name: string) => {
    const plain = engine.keys?.get(name)?.value.plain;
    return typeof plain === 'string' ? plain : '';
  };
  const { place } = engine;
  const mistakes: SettingsMistake[] = [];
  const refuse = (field: string, problem: string, remedy: string) =>
    void mistakes.push({ knob: `${knob}.${field}`, place, problem, remedy });
  for (const field of ['socket', 'credentialFile'])
    if (isWritten(field))
      refuse(field, 'It leads to a file of the machine.', 'Write such an engine in the settings file.');
  if (textOf('credential').startsWith('${'))
    refuse(
      'credential',
      'It leads to a variable of the machine.',
      'Write the secret itself, or the engine in the settings file.',
    );
  if (isWritten('modelFile') && !/^[A-Za-z0-9_][\w.+-]*$/.test(textOf('modelFile')))
    refuse(
      'modelFile',
      'It is not the name of a downloaded model.',
      'Write the name of a file in `models` inside the data folder, without a path.',
    );
  return mistakes;
}
