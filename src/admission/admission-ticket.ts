import type { Caller } from '#vocabulary/caller';
import type { Arrival, Seat, Ticket } from '#vocabulary/inference';

/** Somebody who waits or is being served. */
export interface Presence {
  readonly arrival: Arrival;
  readonly caller: Caller;
  hasSeat: boolean;
}

export class AdmissionTicket implements Ticket {
  readonly arrival: Arrival;
  readonly caller: Caller;
  readonly waitMs: number;
  readonly #depart: () => void;
  seat: Seat;

  constructor(presence: Presence, seat: Seat, waitMs: number, depart: () => void) {
    this.arrival = presence.arrival;
    this.caller = presence.caller;
    this.seat = seat;
    this.waitMs = waitMs;
    this.#depart = depart;
  }

  [Symbol.dispose](): void {
    this.seat.release();
    this.#depart();
  }
}
