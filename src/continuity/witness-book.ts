import { isObject } from '#dialects/json-object';
import type { KeyCaller } from '#vocabulary/caller';
import type { WitnessedAnswer } from '#vocabulary/witnessed-answer';
import { createKeptRoom, type KeptPlace, type KeptRoomLimits } from './kept-room.ts';
import { RecordReader, type WitnessRecord } from './witness-records.ts';

/** What this gateway knows of the answers of the others, in case that they die. Bounded for each key and in total. */
export interface WitnessBook {
  readonly answers: number;
  readonly bytes: number;
  /** For one gateway. */
  open(): WitnessPage;
  /** Resolves when it is decided whose this answer is, at once where nothing is to be decided. Takes no longer than that. */
  settled(id: string, personId: string, forNoLongerThanMs: number): Promise<void>;
}

/** The answers of one gateway. */
export interface WitnessPage {
  /** Begins anew: the gateway tells all that it has to tell over every connection. */
  listen(): { push(bytes: Buffer): void };
  /** It is dead, and these are for whoever goes on with them. */
  takeOver(): readonly WitnessedAnswer[];
  /** It lives, and tells others. */
  forget(): void;
}

class Held {
  readonly beginning: Omit<WitnessedAnswer, 'body' | 'frames' | 'hasEnded'>;
  readonly place: KeptPlace;
  readonly left = Promise.withResolvers<void>();
  readonly frames: Buffer[] = [];
  body: Buffer = Buffer.alloc(0);
  hasEnded = false;

  constructor(beginning: Held['beginning'], place: KeptPlace) {
    this.beginning = beginning;
    this.place = place;
  }
}

export function createWitnessBook(limits: KeptRoomLimits & { readonly maxBodyBytes: number }): WitnessBook {
  const room = createKeptRoom(limits);
  /** By request; each belongs to one page. */
  const all = new Map<string, Held>();

  return {
    get answers() {
      return all.size;
    },
    get bytes() {
      return room.bytes;
    },
    open: openPage,
    async settled(id, personId, forNoLongerThanMs) {
      const held = all.get(id);
      if (held === undefined || held.beginning.personId !== personId) return;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, forNoLongerThanMs);
      await Promise.race([held.left.promise, late]);
      clearTimeout(timer);
    },
  };

  function openPage(): WitnessPage {
    const page = new Map<string, Held>();
    return {
      listen() {
        forgetAll();
        return new RecordReader(limits.maxBodyBytes, hear);
      },
      takeOver() {
        const answers = [...page.values()].map(({ beginning, body, frames, hasEnded }) => ({
          ...beginning,
          body,
          frames,
          hasEnded,
        }));
        // Whoever waits for one of them finds it where it is put now, in this same moment.
        forgetAll();
        return answers;
      },
      forget: forgetAll,
    };

    function hear({ kind, id, payload }: WitnessRecord): void {
      if (kind === 'begin') begin(id, payload);
      const held = page.get(id);
      if (held === undefined) return;
      if (kind === 'forget') drop(id, held);
      else if (kind === 'end') held.hasEnded = true;
      else if (kind === 'frame' || kind === 'body') keep(id, held, kind, payload);
    }

    function begin(id: string, payload: Buffer): void {
      const beginning = readBeginning(id, payload);
      // Nobody may begin what somebody else has begun.
      if (beginning === undefined || (all.has(id) && !page.has(id))) return;
      const before = page.get(id);
      if (before !== undefined) drop(id, before);
      const place = room.takePlace(beginning.keyId);
      if (place === undefined) return;
      const held = new Held(beginning, place);
      page.set(id, held);
      all.set(id, held);
    }

    function keep(id: string, held: Held, kind: 'frame' | 'body', payload: Buffer): void {
      if (!held.place.take(payload.length)) {
        drop(id, held);
        return;
      }
      // A part of what was read would keep all of it in memory.
      const own = Buffer.from(payload);
      if (kind === 'body') held.body = own;
      else held.frames.push(own);
    }

    function forgetAll(): void {
      for (const [id, held] of page) drop(id, held);
    }

    function drop(id: string, held: Held): void {
      held.place.leave();
      page.delete(id);
      all.delete(id);
      held.left.resolve();
    }
  }
}

function readBeginning(id: string, payload: Buffer): Held['beginning'] | undefined {
  let told: unknown;
  try {
    told = JSON.parse(payload.toString());
  } catch {
    return undefined;
  }
  if (!isObject(told) || told.id !== id) return undefined;
  const { keyId, personId, address, isAddressCertain, asked, seconds, lostGateways, headers, question } =
    told;
  const isSound =
    [keyId, personId, address, asked].every((text) => typeof text === 'string') &&
    [seconds, lostGateways].every((number) => Number.isSafeInteger(number)) &&
    Array.isArray(headers) &&
    headers.every((text) => typeof text === 'string');
  if (!isSound) return undefined;
  const owner = { keyId, personId } as Pick<KeyCaller, 'keyId' | 'personId'>;
  return {
    id,
    question: typeof question === 'string' ? question : undefined,
    ...owner,
    address: String(address),
    isAddressCertain: isAddressCertain === true,
    asked: String(asked),
    seconds: Number(seconds),
    lostGateways: Number(lostGateways),
    headers,
  };
}
