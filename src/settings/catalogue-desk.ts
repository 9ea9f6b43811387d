import type { Actor, AuditKind, AuditTrail } from '#vocabulary/audit';
import {
  type CatalogueDesk,
  type CatalogueList,
  type EntryFields,
  managedFileName,
} from '#vocabulary/catalogue-desk';
import { Refusal } from '#vocabulary/refusal';
import type { LoadedSettings } from './load-settings.ts';
import { type Managed, managedText, nameOf, readManagedFile } from './managed-catalogue.ts';
import { SettingsMistakes } from './mistakes.ts';
import { secretMask } from './read-fields.ts';
import { replaceFile } from './replace-file.ts';
import { sharedMark, type SharedCatalogue } from './shared-catalogue.ts';

/** How the settings are read again, and put in force. */
export interface SettingsSource {
  /** With a text: as they would be if the file of the web held it. Throws `SettingsMistakes`. */
  load(managedText?: string): LoadedSettings;
  reload(): void;
}

/** The lists as they would be, with the entry that makes the difference. */
interface Written {
  readonly after: Managed;
  readonly entry: EntryFields;
}

/** More is no list that anybody keeps by hand. */
const maxFileBytes = 512 * 1024;

export function createCatalogueDesk(parts: {
  readonly started: LoadedSettings;
  readonly source: SettingsSource;
  readonly audit: Pick<AuditTrail, 'note'>;
  /** Where several gateways have the same. */
  readonly shared: SharedCatalogue | undefined;
}): CatalogueDesk & { latest(): LoadedSettings } {
  const { source, audit, shared } = parts;
  const { file } = parts.started.managed;
  let lastSound = parts.started;
  let turn: Promise<unknown> = Promise.resolve();

  return {
    latest,

    list() {
      const { shown, origins } = latest();
      const listOf = (list: CatalogueList) =>
        (shown[list] as readonly EntryFields[]).map((entry, index) => ({
          name: textOf(entry[keyOf(list)]),
          origin: origins[list][index] ?? 'settings-file',
          entry,
        }));
      return { engines: listOf('engines'), models: listOf('models') };
    },

    add: (list, given, by) =>
      inTurn(async () => {
        await shared?.pull();
        const { after, entry } = withAdded(list, given);
        const name = textOf(entry[keyOf(list)]);
        await keep(after, list, entry, { kind: `${words[list]}-added`, name, by });
      }),

    change: (list, name, given, by) =>
      inTurn(async () => {
        await shared?.pull();
        const { after, entry } = withChanged(list, name, given);
        await keep(after, list, entry, { kind: `${words[list]}-changed`, name, by });
      }),

    foresee: (list, name, given) =>
      inTurn(async () => {
        const { after, entry } = name === undefined ? withAdded(list, given) : withChanged(list, name, given);
        return checked(textFor(after), list, entry).settings.catalogue;
      }),

    remove: (list, name, by) =>
      inTurn(async () => {
        await shared?.pull();
        const { stored, index } = findStored(list, name);
        refuseInUse(list, name);
        const after = { ...stored, [list]: stored[list].toSpliced(index, 1) };
        await keep(after, list, undefined, { kind: `${words[list]}-removed`, name, by });
      }),
  };

  /** The newest without a mistake. */
  function latest(): LoadedSettings {
    try {
      lastSound = source.load();
    } catch (error) {
      if (!(error instanceof SettingsMistakes)) throw error;
    }
    return lastSound;
  }

  /** One after the other: each begins with what the one before has left. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  }

  function withAdded(list: CatalogueList, entry: EntryFields): Written {
    refuseWrittenElsewhere(list, textOf(entry[keyOf(list)]));
    const stored = readStored();
    return { after: { ...stored, [list]: [...stored[list], entry] }, entry };
  }

  function withChanged(list: CatalogueList, name: string, given: EntryFields): Written {
    const { stored, index, before } = findStored(list, name);
    if (given[keyOf(list)] !== before[keyOf(list)])
      throw new Refusal('invalid_parameter', 'The name stays. Add another and remove this one.', {
        param: keyOf(list),
      });
    const entry = withKeptCredential(given, before);
    return { after: { ...stored, [list]: stored[list].with(index, entry) }, entry };
  }

  function checked(text: string, list: CatalogueList, entry: EntryFields | undefined): LoadedSettings {
    try {
      return source.load(text);
    } catch (error) {
      if (error instanceof SettingsMistakes) throw refusalOf(error, list, entry);
      throw error;
    }
  }

  async function keep(
    after: Managed,
    list: CatalogueList,
    entry: EntryFields | undefined,
    { kind, name, by }: { readonly kind: AuditKind; readonly name: string; readonly by: Actor },
  ): Promise<void> {
    const text = textFor(after);
    lastSound = checked(text, list, entry);
    const detail = { name, ...(entry !== undefined && { fields: Object.keys(entry).join(', ') }) };
    await audit.note({ kind, by, detail: { ...detail, ...addressOf(entry) } });
    await shared?.publish(after);
    replaceFile(file, shared === undefined ? text : sharedMark + text);
    source.reload();
    await shared?.whenKnown();
  }

  function readStored(): Managed {
    return readManagedFile(file).managed;
  }

  function findStored(list: CatalogueList, name: string) {
    const stored = readStored();
    const wanted = nameOf(list, { plain: { [keyOf(list)]: name } });
    const index = stored[list].findIndex((entry) => nameOf(list, { plain: entry }) === wanted);
    const before = stored[list][index];
    refuseWrittenElsewhere(list, name);
    if (before === undefined) throw new Refusal('not_found', `There is no ${words[list]} of this name.`);
    return { stored, index, before };
  }

  function refuseWrittenElsewhere(list: CatalogueList, name: string): void {
    const { shown, origins } = latest();
    const wanted = nameOf(list, { plain: { [keyOf(list)]: name } });
    const index = (shown[list] as readonly EntryFields[]).findIndex(
      (entry) => nameOf(list, { plain: entry }) === wanted,
    );
    const origin = origins[list][index];
    if (origin === undefined || origin === 'here') return;
    throw new Refusal(
      'conflict',
      origin === 'built-in'
        ? `The ${words[list]} ${name} is built in. Choose another name.`
        : `The ${words[list]} ${name} stands in the settings file, and is changed there.`,
      { param: keyOf(list) },
    );
  }

  function refuseInUse(list: CatalogueList, name: string): void {
    const users = latest().settings.catalogue.models.filter(
      ({ replicas }) => list === 'engines' && replicas.some(({ engineName }) => engineName === name),
    );
    if (users.length > 0)
      throw new Refusal('conflict', `It serves ${users.map(({ id }) => id).join(', ')}. Change that first.`, {
        param: 'engines',
      });
  }
}

const words = { engines: 'engine', models: 'model' } as const;

function textFor(managed: Managed): string {
  const text = managedText(managed);
  if (Buffer.byteLength(text) > maxFileBytes)
    throw new Refusal('request_too_large', 'The engines and models made here take too much room.');
  return text;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function keyOf(list: CatalogueList): 'name' | 'id' {
  return list === 'engines' ? 'name' : 'id';
}

/** A secret is not sent to another place than the one for which it was given. */
function withKeptCredential(given: EntryFields, before: EntryFields): EntryFields {
  if (given['credential'] !== secretMask || before['credential'] === undefined) return given;
  if (originOf(given) !== originOf(before))
    throw new Refusal('invalid_parameter', 'The address is another. Give the credential again.', {
      param: 'credential',
    });
  return { ...given, credential: before['credential'] };
}

function originOf({ url }: EntryFields): string | undefined {
  return URL.parse(textOf(url))?.origin;
}

function addressOf(entry: EntryFields | undefined): { readonly address?: string } {
  const origin = entry === undefined ? undefined : originOf(entry);
  return origin === undefined ? {} : { address: origin };
}

/** The first mistake of the entry, named by its field; all of them where they are somewhere else. */
function refusalOf(
  { mistakes, message }: SettingsMistakes,
  list: CatalogueList,
  entry: EntryFields | undefined,
): Refusal {
  const own = mistakes.find(
    ({ knob, place }) =>
      entry !== undefined && knob.startsWith(`${list}[`) && place.startsWith(managedFileName),
  );
  if (own === undefined) return new Refusal('conflict', message);
  return new Refusal('invalid_parameter', `${own.problem} ${own.remedy}`, {
    param: own.knob.replace(/^\w+\[\d+\]\.?/, '') || keyOf(list),
  });
}
