import type { Actor } from './audit.ts';
import type { Catalogue, EngineTrial } from './catalogue.ts';

/** Where engines and models are added, changed and removed without touching the settings file. */
export interface CatalogueDesk {
  list(): Readonly<Record<CatalogueList, readonly CatalogueEntry[]>>;
  /** Checked as the settings file is; nothing with a mistake is kept. In force when it resolves. */
  add(list: CatalogueList, entry: EntryFields, by: Actor): Promise<void>;
  /** Takes the place of the whole entry; a credential that is still masked stays the one it was. */
  change(list: CatalogueList, name: string, entry: EntryFields, by: Actor): Promise<void>;
  remove(list: CatalogueList, name: string, by: Actor): Promise<void>;
  /**
   * What adding an entry, or putting it in the place of the one of this name, would make of engines and models.
   * Refuses what `add` and `change` refuse, and keeps nothing.
   */
  foresee(list: CatalogueList, name: string | undefined, entry: EntryFields): Promise<Catalogue>;
}

/** In the data folder: what was made at this desk, in the form of the settings file. It holds credentials. */
export const managedFileName = 'managed.yaml';

export type CatalogueList = 'engines' | 'models';

/** As somebody would write it in the settings file. */
export type EntryFields = Readonly<Record<string, unknown>>;

export interface CatalogueEntry {
  /** Of an engine its name, of a model its id. */
  readonly name: string;
  /** Only what was made here is changed here. */
  readonly origin: EntryOrigin;
  /** Secrets are masked. */
  readonly entry: EntryFields;
}

export type EntryOrigin = 'here' | 'settings-file' | 'built-in';

/** An engine or a model as it stands in a form. */
export interface DraftedEntry {
  readonly list: CatalogueList;
  /** Of the entry whose place it would take. */
  readonly name?: string | undefined;
  readonly entry: EntryFields;
  /** Which model of a drafted engine is asked, by its name there. */
  readonly upstreamModel?: string | undefined;
}

export interface EntryTrial extends EngineTrial {
  readonly engine: string;
  readonly upstreamModel: string | null;
}

export type TryEntry = (draft: DraftedEntry, by: Actor) => Promise<EntryTrial>;
