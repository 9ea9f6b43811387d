import type { SettingInEffect } from '#contract/administration';
import { isFound } from '../../design/is-found.ts';

/** Knobs that stand together: `limits.maxBody` and `limits.maxHeader` are of `limits`; of the top itself, `''`. */
export interface SettingGroup {
  readonly name: string;
  readonly rows: readonly SettingRow[];
}

export interface SettingRow {
  /** Without the name of the group. */
  readonly name: string;
  readonly source: string;
  /** A value as it is written, or the entries of a list such as `engines`. */
  readonly value: string | readonly SettingEntry[];
}

export interface SettingEntry {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

/** What somebody has said, and what is as it comes. */
export function groupSettings(settings: readonly SettingInEffect[]): {
  readonly said: readonly SettingGroup[];
  readonly usual: readonly SettingGroup[];
} {
  const isUsual = ({ source }: SettingInEffect) => source === 'default';
  return {
    said: groupsOf(settings.filter((setting) => !isUsual(setting))),
    usual: groupsOf(settings.filter(isUsual)),
  };
}

/** Only what holds the searched words: of a list, the entries that do. */
export function findIn(groups: readonly SettingGroup[], searched: string): readonly SettingGroup[] {
  return groups.flatMap((group) => {
    const rows = group.rows.flatMap((row): readonly SettingRow[] => {
      if (isFound(searched, [`${group.name}.${row.name}`])) return [row];
      if (typeof row.value === 'string') return isFound(searched, [row.value]) ? [row] : [];
      const value = row.value.filter(({ name, fields }) =>
        isFound(searched, [name, ...fields.flatMap((field) => [field.name, field.value])]),
      );
      return value.length === 0 ? [] : [{ ...row, value }];
    });
    return rows.length === 0 ? [] : [{ ...group, rows }];
  });
}

function groupsOf(settings: readonly SettingInEffect[]): readonly SettingGroup[] {
  const groups = Map.groupBy(settings, ({ name }) => /^([^.[]+)\./.exec(name)?.[1] ?? '');
  return [...groups].map(([group, members]) => ({
    name: group,
    rows: [...Map.groupBy(members, ({ name }) => /^[^[]+/.exec(name)?.[0] ?? name)].map(
      ([name, parts]): SettingRow => ({
        name: group === '' ? name : name.slice(group.length + 1),
        source: parts[0]?.source ?? '',
        value: parts.some((part) => part.name !== name) ? entriesOf(parts) : (parts[0]?.value ?? ''),
      }),
    ),
  }));
}

function entriesOf(parts: readonly SettingInEffect[]): readonly SettingEntry[] {
  const entries = Map.groupBy(parts, ({ name }) => /^[^[]+\[\d+\]/.exec(name)?.[0] ?? name);
  return [...entries].map(([place, members]) => {
    const fields = members.map(({ name, value }) => ({ name: name.slice(place.length + 1), value }));
    // The first field of an entry is what it is called: a name, an id, a network.
    const [first, ...others] = fields;
    return { name: first?.value ?? place, fields: others };
  });
}
