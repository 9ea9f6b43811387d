import type { Logger } from '#vocabulary/logger';
import type { NativeContext } from '../native/native-bindings.ts';
import type { Slot, Slots } from './slots.ts';

/**
 * Reads ahead while nobody is waiting. Chat templates write a finished turn differently from how it was
 * generated (thoughts are left out), so the next turn would have to read the whole answer again. A person takes
 * seconds to type it; in that time the engine reads the conversation as the next turn will present it.
 */
export interface IdleReader {
  /** The text is made when there is time for it, and forgotten when the slot goes to somebody else. */
  offer(slot: Slot, text: () => Promise<readonly number[]>): void;
  readonly hasWork: boolean;
  /** Reads a little; short, because somebody may arrive meanwhile. Never throws: nobody asked for this. */
  readSome(): Promise<void>;
  readonly readTokens: number;
}

interface Offer {
  readonly slot: Slot;
  /** Of the slot, when the offer was made. */
  readonly claim: number;
  readonly text: () => Promise<readonly number[]>;
}

const tokensAtOnce = 16;

export function createIdleReader(context: NativeContext, slots: Slots, logger: Logger): IdleReader {
  /** At most one per slot; the newest are read first. */
  const offers = new Map<Slot, Offer>();
  let current: { readonly offer: Offer; readonly tokens: readonly number[] } | undefined;
  let readTokens = 0;

  async function takeOffer(): Promise<typeof current> {
    const offer = [...offers.values()].at(-1);
    if (offer === undefined) return undefined;
    offers.delete(offer.slot);
    return isStillFree(offer) ? { offer, tokens: await offer.text() } : undefined;
  }

  /** Whether there is more to read. */
  async function readPiece(slot: Slot, tokens: readonly number[]): Promise<boolean> {
    slots.cut(slot, slots.commonPrefix(slot, tokens));
    const piece = tokens.slice(slot.tokens.length, slot.tokens.length + tokensAtOnce);
    if (piece.length === 0) return false;
    context.initBatch(piece.length);
    context.addToBatch(slot.id, slot.tokens.length, Uint32Array.from(piece), new Uint32Array(0));
    await context.decodeBatch();
    slot.tokens.push(...piece);
    readTokens += piece.length;
    return slot.tokens.length < tokens.length;
  }

  return {
    offer: (slot, text) => {
      offers.delete(slot);
      offers.set(slot, { slot, claim: slot.lastClaim, text });
    },
    get hasWork() {
      return current !== undefined || offers.size > 0;
    },
    get readTokens() {
      return readTokens;
    },
    readSome: async () => {
      try {
        current ??= await takeOffer();
        if (current === undefined) return;
        const { offer, tokens } = current;
        if (!isStillFree(offer) || !(await readPiece(offer.slot, tokens))) current = undefined;
      } catch (error) {
        current = undefined;
        logger.warn({ error }, 'reading ahead failed');
      }
    },
  };
}

function isStillFree({ slot, claim }: Offer): boolean {
  return !slot.isBusy && slot.lastClaim === claim;
}
