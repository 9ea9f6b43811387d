import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { nearestWord } from '#vocabulary/nearest-word';
import { environmentNamesOf, type Entries, type Fields, type Knob } from './knob.ts';
import { listFromText } from './checks.ts';
import type { SettingsMistake } from './mistakes.ts';
import { writtenAs, type Written } from './written.ts';

/** What one reading of the table against a file and the environment gives. */
export interface Reading {
  /** Shaped like the table; only to be used when there are no mistakes. */
  readonly values: unknown;
  /** As written, with secrets masked; shaped like the file. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** By the dotted name of each knob. */
  readonly sources: ReadonlyMap<string, string>;
  readonly mistakes: SettingsMistake[];
}

export interface ReadingSource {
  readonly environment: NodeJS.ProcessEnv;
  readonly workingDirectory: string;
}

export const secretMask = '********';

/** Reads every knob of the table: the environment wins over the file, the file over the fallback. */
export function readFields(table: Fields, root: Written | undefined, source: ReadingSource): Reading {
  const sources = new Map<string, string>();
  const mistakes: SettingsMistake[] = [];
  const { environment, workingDirectory } = source;

  function readGroup(fields: Fields, group: Written | undefined, path: string, isTop: boolean) {
    const values: Record<string, unknown> = {};
    const shown: Record<string, unknown> = {};
    refuseUnknownKeys(fields, group, path);
    for (const [name, field] of Object.entries(fields)) {
      const fieldPath = path === '' ? name : `${path}.${name}`;
      const written = group?.keys?.get(name)?.value;
      if (field.kind === 'section') {
        const inner = written === undefined || isGroup(written, fieldPath) ? written : undefined;
        const read = readGroup(field.fields, inner, fieldPath, isTop);
        values[name] = read.values;
        shown[name] = read.shown;
        continue;
      }
      const chosen = choose(field, fieldPath, group, name, isTop);
      if (isTop) sources.set(fieldPath, sourceOf(chosen));
      const read =
        field.kind === 'entries' ? readEntries(field, chosen, fieldPath) : readKnob(field, chosen, fieldPath);
      values[name] = read.value;
      if (read.shown !== undefined) shown[name] = read.shown;
    }
    return { values, shown };
  }

  function choose(
    field: Knob<unknown> | Entries<Fields>,
    path: string,
    group: Written | undefined,
    name: string,
    isTop: boolean,
  ): Written | undefined {
    const inFile = group?.keys?.get(name)?.value;
    const beneath =
      inFile ??
      (field.fallback === undefined ? undefined : writtenAs(field.fallback, 'default', workingDirectory));
    if (field.kind === 'entries') {
      const text = isTop && field.environment !== undefined ? environment[field.environment] : undefined;
      if (text === undefined || text === '') return beneath;
      return writtenAs(listFromText(text), `environment ${field.environment}`, workingDirectory);
    }
    if (isTop) {
      for (const variable of environmentNamesOf(path, field)) {
        const text = environment[variable.name];
        const place = `environment ${variable.name}`;
        if (text !== undefined && (text !== '' || field.isSecret)) {
          const plain = variable.onto?.(text, beneath?.plain) ?? field.check.fromText(text);
          return writtenAs(plain, place, workingDirectory);
        }
        const secretFile = field.isSecret ? environment[`${variable.name}_FILE`] : undefined;
        if (secretFile !== undefined) {
          return readSecretFile(writtenAs(secretFile, `${place}_FILE`, workingDirectory), path);
        }
      }
    }
    const fileKey = field.isSecret ? group?.keys?.get(`${name}File`)?.value : undefined;
    if (fileKey === undefined) return beneath;
    if (inFile !== undefined) {
      mistake(path, fileKey, `Both ${name} and ${name}File are given.`, 'Keep one of them.');
    }
    return readSecretFile(fileKey, path);
  }

  function readKnob(field: Knob<unknown>, chosen: Written | undefined, path: string) {
    if (chosen === undefined) return { value: undefined, shown: undefined };
    const written = field.isSecret ? readSecret(chosen, path, field.check.isAddress) : chosen;
    if (written === undefined) return { value: undefined, shown: undefined };
    if (written.plain === null) {
      mistake(path, written, 'It has no value.', `Write ${field.check.form}, or remove the line.`);
      return { value: undefined, shown: undefined };
    }
    const result = field.check.schema.safeParse(written.plain);
    if (result.success) {
      const value = field.check.isPath ? resolve(written.folder, String(result.data)) : result.data;
      return { value, shown: field.isSecret ? secretMask : written.plain };
    }
    const own = result.error.issues.find((issue) => issue.code === 'custom')?.message;
    const seen = field.isSecret ? 'What is given' : (JSON.stringify(written.plain) ?? 'What is given');
    mistake(path, written, own ?? `${clip(seen)} does not fit.`, `Write ${field.check.form}.`);
    return { value: undefined, shown: undefined };
  }

  function readEntries(field: Entries<Fields>, chosen: Written | undefined, path: string) {
    if (chosen?.items === undefined) {
      if (chosen !== undefined) {
        mistake(path, chosen, 'It is not a list.', 'Write one entry per line, each beginning with a dash.');
      }
      return { value: [], shown: [] };
    }
    const values: unknown[] = [];
    const shown: unknown[] = [];
    for (const [index, item] of chosen.items.entries()) {
      const itemPath = `${path}[${index}]`;
      const bareField = typeof item.plain === 'string' ? field.shorthand : undefined;
      const group =
        bareField === undefined ? item : writtenAs({ [bareField]: item.plain }, item.place, item.folder);
      if (!isGroup(group, itemPath)) continue;
      const read = readGroup(field.fields, group, itemPath, false);
      requireAll(field.fields, read.values, group, itemPath);
      values.push(read.values);
      shown.push(bareField === undefined ? onlyWritten(read.shown, group) : item.plain);
    }
    return { value: values, shown };
  }

  function requireAll(fields: Fields, values: Record<string, unknown>, group: Written, path: string): void {
    for (const [name, field] of Object.entries(fields)) {
      if (field.kind !== 'knob' || !field.isRequired || values[name] !== undefined) continue;
      if (group.keys?.has(name) || group.keys?.has(`${name}File`)) continue;
      mistake(`${path}.${name}`, group, 'It is missing.', `Write ${field.check.form}.`);
    }
  }

  function refuseUnknownKeys(fields: Fields, group: Written | undefined, path: string): void {
    for (const [name, { place }] of group?.keys ?? []) {
      if (Object.hasOwn(fields, name) || (path === '' && name.startsWith('x-'))) continue;
      const secret = name.endsWith('File') ? fields[name.slice(0, -4)] : undefined;
      if (secret?.kind === 'knob' && secret.isSecret) continue;
      const meant = nearestWord(name, Object.keys(fields));
      mistakes.push({
        knob: path === '' ? name : `${path}.${name}`,
        place,
        problem: 'There is no setting of this name.',
        remedy:
          meant === undefined ? `Known here: ${Object.keys(fields).join(', ')}.` : `Did you mean ${meant}?`,
      });
    }
  }

  function isGroup(written: Written, path: string): boolean {
    if (written.keys !== undefined) return true;
    mistake(path, written, 'It is not a group of settings.', 'Write names with values, one per line.');
    return false;
  }

  /** Undefined after a mistake. */
  function readSecret(written: Written, path: string, isAddress = false): Written | undefined {
    const text = typeof written.plain === 'string' ? written.plain : '';
    const named = isAddress ? /\$\{(\w+)\}/g : /^\$\{(\w+)\}$/g;
    const isWhole = /^\$\{\w+\}$/.test(text);
    const absent = Array.from(text.matchAll(named), ([, name = '']) => name).find(
      (name) => environment[name] === undefined,
    );
    const filledIn = text.replaceAll(named, (_, name: string) => {
      const value = environment[name] ?? '';
      return isWhole ? value : encodeURIComponent(value);
    });
    const plain = text === '' ? written.plain : filledIn;
    if (absent !== undefined) {
      mistake(
        path,
        written,
        `The variable ${absent} is not set.`,
        `Set ${absent}, or write the secret itself.`,
      );
    } else if (plain === '') {
      mistake(path, written, 'The secret is empty.', 'Give its value, or remove it.');
    } else if (plain === secretMask) {
      mistake(path, written, 'The secret is masked.', 'Put its value in the place of the asterisks.');
    } else {
      return { ...written, plain };
    }
    return undefined;
  }

  function readSecretFile(written: Written, path: string): Written | undefined {
    try {
      const text = readFileSync(resolve(written.folder, String(written.plain)), 'utf8');
      return { ...written, plain: text.replace(/\r?\n$/, '') };
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      const problem = `The file ${String(written.plain)} cannot be read (${reason}).`;
      mistake(path, written, problem, 'Name a file that can.');
      return undefined;
    }
  }

  function mistake(knob: string, { place }: Written, problem: string, remedy: string): void {
    mistakes.push({ knob, place, problem, remedy });
  }

  const top = root === undefined || isGroup(root, '(file)') ? root : undefined;
  const { values, shown } = readGroup(table, top, '', true);
  return { values, shown, sources, mistakes };
}

function sourceOf(chosen: Written | undefined): string {
  return (chosen?.place ?? 'default').replace(/^(.*:\d+):\d+$/, '$1');
}

function onlyWritten(shown: Record<string, unknown>, { keys }: Written): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shown).filter(([name]) => keys?.has(name) || keys?.has(`${name}File`)),
  );
}

function clip(seen: string): string {
  return seen.length > 80 ? `${seen.slice(0, 77)}...` : seen;
}
