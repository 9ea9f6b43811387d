import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { CatalogueList, EntryFields } from '#vocabulary/catalogue-desk';
import type { Logger } from '#vocabulary/logger';
import type { Peers } from '#vocabulary/peers';
import { Refusal } from '#vocabulary/refusal';
import type { ServiceNoteStore } from '#vocabulary/service-notes';
import { type Managed, managedText, nameOf, parseManaged, readManagedFile } from './managed-catalogue.ts';
import { SettingsMistakes } from './mistakes.ts';
import { replaceFile } from './replace-file.ts';

/**
 * Engines and models that were made on the web or by command, where several gateways share a database: it has what all
 * of them have, and each has a copy in its file. What needs a file of a machine stays with that machine.
 */
export interface SharedCatalogue {
  /** Brings the file of this gateway to what all have. */
  pull(): Promise<void>;
  /** Before the file of this gateway is changed: keeps it for all, unless somebody else was quicker. */
  publish(after: Managed): Promise<void>;
  /** When the others have it too, or take too long. */
  whenKnown(): Promise<void>;
}

const longestWaitMs = 3000;
const waitStepMs = 20;

/** In a file without this line there may be what the others have never heard of. */
export const sharedMark =
  '# The same at every gateway of this service. Change it on the web or by command.\n';

const nothing: Managed = { engines: [], models: [] };

export function shareCatalogue(parts: {
  readonly notes: ServiceNoteStore;
  readonly file: string;
  /** Throws `SettingsMistakes`. */
  readonly check: (text: string) => void;
  readonly reload: () => void;
  /** Undefined for a command: no gateway hears it, but each finds what it wrote. */
  readonly peers: Peers | undefined;
  readonly logger: Logger;
}): SharedCatalogue {
  const { notes, file, peers, logger } = parts;
  /** What all have, as far as is known here. */
  let known = '';
  let others: readonly unknown[] = [];
  let pulling: Promise<void> | undefined;

  peers?.join({
    name: 'catalogue/1',
    tell: () => known,
    hear(told) {
      others = [...told.values()];
      if (areAllAlike()) return;
      pull().catch((error: unknown) => logger.warn({ error }, 'shared engines and models could not be read'));
    },
    lose() {
      others = [];
    },
  });

  return {
    pull,
    async publish(after) {
      const before = await notes.read('catalogue');
      const here = managedText(split(readManagedFile(file).managed).shared);
      const text = managedText(split(after).shared);
      const isNewest = (before ?? managedText(nothing)) === here;
      if (!isNewest || !(await notes.replace('catalogue', before, text)))
        throw new Refusal('conflict', 'Somebody else has just changed engines or models. Look again.');
      known = digestOf(text);
    },
    async whenKnown() {
      if (peers === undefined || peers.count === 0) return;
      const giveUpMs = performance.now() + longestWaitMs;
      peers.hurry();
      while (!areAllAlike() && performance.now() < giveUpMs) await pause(waitStepMs);
    },
  };

  function areAllAlike(): boolean {
    return others.every((other) => other === known);
  }

  function pull(): Promise<void> {
    pulling ??= bring().finally(() => {
      pulling = undefined;
    });
    return pulling;
  }

  async function bring(): Promise<void> {
    const note = await notes.read('catalogue');
    const { text, managed } = readManagedFile(file);
    const { shared, own } = split(managed);
    const isMarked = text.startsWith(sharedMark);
    // What was made here before gateways shared it joins what they have.
    const all = isMarked ? parseManaged(note ?? '') : joined(parseManaged(note ?? ''), shared);
    const wanted = managedText(all);
    if (wanted !== (note ?? managedText(nothing)) && !(await notes.replace('catalogue', note, wanted)))
      return;
    const isNews = known !== digestOf(wanted);
    known = digestOf(wanted);
    if (isDeepStrictEqual(shared, all) && (isMarked || text === '')) return;
    const next = sharedMark + managedText(joined(all, own));
    try {
      parts.check(next);
    } catch (error) {
      if (!(error instanceof SettingsMistakes)) throw error;
      if (isNews)
        logger.error({ mistakes: error.mistakes }, 'Engines and models of other gateways do not fit here.');
      return;
    }
    replaceFile(file, next);
    parts.reload();
    peers?.hurry();
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** An engine that needs a file of this machine is its own, and so are the models that it serves. */
function split({ engines, models }: Managed): { readonly shared: Managed; readonly own: Managed } {
  const isOwn = (engine: EntryFields) => engine['modelFile'] !== undefined;
  const names = new Set(engines.filter(isOwn).map(({ name }) => name));
  const isServedHere = ({ engines: served }: EntryFields) =>
    Array.isArray(served) && served.some((one: unknown) => names.has(engineOf(one)));
  return {
    shared: {
      engines: engines.filter((engine) => !isOwn(engine)),
      models: models.filter((model) => !isServedHere(model)),
    },
    own: { engines: engines.filter(isOwn), models: models.filter(isServedHere) },
  };
}

function engineOf(served: unknown): unknown {
  return typeof served === 'object' && served !== null && 'engine' in served ? served.engine : served;
}

function joined(first: Managed, second: Managed): Managed {
  const add = (list: CatalogueList) => {
    const taken = new Set(first[list].map((plain) => nameOf(list, { plain })));
    return [...first[list], ...second[list].filter((plain) => !taken.has(nameOf(list, { plain })))];
  };
  return { engines: add('engines'), models: add('models') };
}
