import { isObject } from '#dialects/json-object';
import type { KeyCaller } from '#vocabulary/caller';
import type { WitnessedAnswer, WitnessedResponse } from '#vocabulary/witnessed-answer';
import { createKeptRoom, type KeptPlace, type KeptRoomLimits } from './kept-room.ts';
import { RecordReader, type WitnessRecord } from './witness-records.ts';

/** What this gateway knows of the answers of the others, in case that they die. Bounded for each key and in total. */
export interface WitnessBook {
  /** Of which this gateway is the heir. */
  readonly answers: number;
  /** Of which another gateway is. */
  readonly spares: number;
  readonly bytes: number;
  /** For one gateway, which may hand one of its answers on while it lives. */
  open(gatewayId: string, onHandedOn?: (answer: WitnessedAnswer) => void): WitnessPage;
  /** Resolves when it is decided whose this answer is, at once where nothing is to be decided. Takes no longer than that. */
  settled(id: string, personId: string, forNoLongerThanMs: number): Promise<void>;
}

/** The answers of one gateway. */
export interface WitnessPage {
  /** Begins anew: the gateway tells all that it has to tell over every connection. */
  listen(): { push(bytes: Buffer): void };
  /** It is dead, and these are for whoever goes on with them: of this gateway, or of another heir that is dead too. */
  takeOver(heir?: string): readonly WitnessedAnswer[];
  /** The other gateways that are to go on with something that is known here, in case that they are dead too. */
  heirs(): readonly string[];
  /** It lives, and tells others. */
  forget(): void;
}

class Held {
  readonly beginning: Omit<WitnessedAnswer, 'body' | 'frames' | 'hasEnded'>;
  readonly place: KeptPlace;
  /** The gateway that goes on with it; undefined where that is this one. */
  heir: string | undefined;
  readonly left = Promise.withResolvers<void>();
  readonly frames: Buffer[] = [];
  body: Buffer = Buffer.alloc(0);
  hasEnded = false;
  drop: () => void = () => {};

  constructor(beginning: Held['beginning'], place: KeptPlace, heir: string | undefined) {
    this.beginning = beginning;
    this.place = place;
    this.heir = heir;
  }
}

export function createWitnessBook(limits: KeptRoomLimits & { readonly maxBodyBytes: number }): WitnessBook {
  const room = createKeptRoom(limits);
  /** Of its own: what is known for the worst case takes nothing from the rest. */
  const spareRoom = createKeptRoom(limits);
  /** By request; each belongs to one page. */
  const all = new Map<string, Held>();

  return {
    get answers() {
      return count((heir) => heir === undefined);
    },
    get spares() {
      return count((heir) => heir !== undefined);
    },
    get bytes() {
      return room.bytes + spareRoom.bytes;
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

  function count(isMeant: (heir: string | undefined) => boolean): number {
    return [...all.values()].filter(({ heir }) => isMeant(heir)).length;
  }

  function openPage(
    gatewayId: string,
    onHandedOn: (answer: WitnessedAnswer) => void = () => {},
  ): WitnessPage {
    const page = new Map<string, Held>();
    return {
      listen() {
        forgetAll();
        return new RecordReader(limits.maxBodyBytes, hear);
      },
      takeOver(heir) {
        const taken = [...page].filter(([, held]) => held.heir === heir);
        // Whoever waits for one of them finds it where it is put now, in this same moment.
        for (const [id, held] of taken) drop(id, held);
        return taken.map(([, held]) => answerOf(held));
      },
      heirs: () => [...new Set([...page.values()].map(({ heir }) => heir).filter((id) => id !== undefined))],
      forget: forgetAll,
    };

    function hear({ kind, id, payload }: WitnessRecord): void {
      const told = all.get(id);
      // Its heir goes on with it, and tells whom it likes.
      if (told?.heir === gatewayId && (kind === 'begin' || kind === 'forget')) told.drop();
      if (kind === 'begin') begin(id, payload);
      const held = page.get(id);
      if (held === undefined) return;
      if (kind === 'forget') drop(id, held);
      else if (kind === 'heir') held.heir = undefined;
      else if (kind === 'yours') {
        // As in `takeOver`: whoever waits for it finds it where it is put now.
        drop(id, held);
        onHandedOn(answerOf(held));
      } else if (kind === 'end') held.hasEnded = true;
      else if (kind === 'frame' || kind === 'body') keep(id, held, kind, payload);
    }

    function begin(id: string, payload: Buffer): void {
      const { beginning, heir } = readBeginning(id, payload) ?? {};
      // Nobody may begin what somebody else has begun.
      if (beginning === undefined || (all.has(id) && !page.has(id))) return;
      const before = page.get(id);
      if (before !== undefined) drop(id, before);
      const place = (heir === undefined ? room : spareRoom).takePlace(beginning.keyId);
      if (place === undefined) return;
      const held = new Held(beginning, place, heir);
      held.drop = () => drop(id, held);
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

function answerOf({ beginning, body, frames, hasEnded }: Held): WitnessedAnswer {
  return { ...beginning, body, frames, hasEnded };
}

function readBeginning(
  id: string,
  payload: Buffer,
): { readonly beginning: Held['beginning']; readonly heir: string | undefined } | undefined {
  let told: unknown;
  try {
    told = JSON.parse(payload.toString());
  } catch {
    return undefined;
  }
  if (!isObject(told) || told.id !== id) return undefined;
  const { keyId, personId, address, isAddressCertain, asked, seconds, lostGateways, headers, question } =
    told;
  const response = readResponse(told.response);
  const isSound =
    [keyId, personId, address, asked].every((text) => typeof text === 'string') &&
    [seconds, lostGateways].every((number) => Number.isSafeInteger(number)) &&
    Array.isArray(headers) &&
    headers.every((text) => typeof text === 'string') &&
    response !== 'unsound';
  if (!isSound) return undefined;
  const owner = { keyId, personId } as Pick<KeyCaller, 'keyId' | 'personId'>;
  const beginning = {
    id,
    question: typeof question === 'string' ? question : undefined,
    ...owner,
    address: String(address),
    isAddressCertain: isAddressCertain === true,
    asked: String(asked),
    seconds: Number(seconds),
    // Gateways of earlier versions do not tell it.
    begunAs: typeof told.begunAs === 'string' ? told.begunAs : undefined,
    lostGateways: Number(lostGateways),
    headers,
    response,
  };
  return { beginning, heir: typeof told.heir === 'string' ? told.heir : undefined };
}

function readResponse(told: unknown): WitnessedResponse | undefined | 'unsound' {
  if (told === undefined) return undefined;
  const { writerId, ownerId, directPath } = isObject(told) ? told : {};
  if (typeof writerId !== 'string' || typeof ownerId !== 'string') return 'unsound';
  return { writerId, ownerId, directPath: typeof directPath === 'string' ? directPath : undefined };
}
