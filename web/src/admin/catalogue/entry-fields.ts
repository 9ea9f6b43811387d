import type { EntryFields } from './use-catalogue.ts';

/** Reads what a form shows out of an entry, whatever somebody wrote there. */
export function textIn(entry: EntryFields | undefined, name: string): string {
  const value = entry?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function isSetIn(entry: EntryFields | undefined, name: string): boolean {
  return entry?.[name] === true;
}

/** An entry without what was left empty; what the form does not show stays. */
export function withFields(entry: EntryFields | undefined, fields: EntryFields): EntryFields {
  return Object.fromEntries(
    Object.entries({ ...entry, ...fields }).filter(([, value]) => value !== '' && value !== undefined),
  );
}

/** A number where one was written; anything else goes to the service, which says what is wrong with it. */
export function numberFrom(text: string): number | string | undefined {
  if (text.trim() === '') return undefined;
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

export interface Replica {
  readonly engine: string;
  readonly [field: string]: unknown;
}

/** An engine of a model may be written as its bare name. */
export function replicasIn(entry: EntryFields | undefined): readonly Replica[] {
  const written = entry?.['engines'];
  if (!Array.isArray(written)) return [];
  return written.flatMap((item: unknown) => {
    if (typeof item === 'string') return [{ engine: item }];
    return isReplica(item) ? [item] : [];
  });
}

function isReplica(item: unknown): item is Replica {
  return typeof item === 'object' && item !== null && 'engine' in item && typeof item.engine === 'string';
}
