import type { JsonObject } from '#dialects/json-object';
import type { AnswerObserver } from '#dialects/translation';
import type { Caller } from './caller.ts';
import type { ResponseOwner } from './response-store.ts';

/** Where responses are kept for those who asked for it, as the doors know it. */
export interface ResponseShelf {
  /**
   * What a question has to do with kept responses; undefined: nothing. Throws a refusal when it cannot be continued
   * or kept as it asks.
   */
  open(ask: ShelfAsk): Promise<ShelfPlace | undefined>;
}

export interface ShelfAsk {
  readonly body: JsonObject;
  readonly owner: ResponseOwner;
  readonly requestId: string;
}

export interface ShelfPlace {
  /** The question, with everything that was said before. */
  readonly body: JsonObject;
  /** Told what becomes of the answer; undefined when it is not to be kept. */
  readonly observer: AnswerObserver | undefined;
}

/** A key acts for its person. Without a key the address is all that is known. */
export function responseOwner(caller: Caller, address: string): ResponseOwner {
  return caller.kind === 'network'
    ? { id: `address ${address}`, personId: undefined }
    : { id: `person ${caller.personId}`, personId: caller.personId };
}
