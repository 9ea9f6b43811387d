import { environmentNamesOf, type Entries, type Fields, type Knob } from './knob.ts';
import { settingsTable } from './settings-table.ts';

export interface NamedKnob {
  /** `limits.maxBody`. */
  readonly name: string;
  readonly environment: readonly string[];
  readonly change: 'live' | 'restart';
  readonly field: Knob<unknown> | Entries<Fields>;
}

/** The table without its nesting; lists of groups count as one knob. */
export function everyKnob(fields: Fields = settingsTable, path = ''): readonly NamedKnob[] {
  return Object.entries(fields).flatMap(([key, field]): readonly NamedKnob[] => {
    const name = path === '' ? key : `${path}.${key}`;
    if (field.kind === 'section') return everyKnob(field.fields, name);
    const environment =
      field.kind === 'entries'
        ? [field.environment ?? []].flat()
        : environmentNamesOf(name, field).map((variable) => variable.name);
    return [{ name, environment, change: field.change, field }];
  });
}
