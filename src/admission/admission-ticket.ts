import type { Caller } from '#vocabulary/caller';
import type { ParsedRequest, Route, Ticket } from '#vocabulary/inference';

/** Somebody who waits or is being served. */
export interface Presence {
  readonly request: ParsedRequest;
  readonly caller: Caller;
  isServed: boolean;
}

export class AdmissionTicket implements Ticket {
  readonly request: ParsedRequest;
  readonly caller: Caller;
  readonly waitMs: number;
  readonly route: Route;
  readonly #depart: () => void;

  constructor(presence: Presence, route: Route, waitMs: number, depart: () => void) {
    this.request = presence.request;
    this.caller = presence.caller;
    this.route = route;
    this.waitMs = waitMs;
    this.#depart = depart;
  }

  [Symbol.dispose](): void {
    this.route[Symbol.dispose]();
    this.#depart();
  }
}
