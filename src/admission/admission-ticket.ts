import type { Caller } from '#vocabulary/caller';
import type { ParsedRequest, Ticket } from '#vocabulary/inference';
import type { Roster, RosterEntry } from '#vocabulary/roster';

/** Somebody who waits or is being served. */
export class AdmissionTicket implements Ticket {
  readonly request: ParsedRequest;
  readonly caller: Caller;
  readonly #entry: RosterEntry;
  readonly #departed: (entry: RosterEntry) => void;

  constructor(
    request: ParsedRequest,
    caller: Caller,
    present: Roster<Ticket>,
    departed: (entry: RosterEntry) => void,
  ) {
    this.request = request;
    this.caller = caller;
    this.#entry = present.add(this);
    this.#departed = departed;
  }

  [Symbol.dispose](): void {
    this.#departed(this.#entry);
  }
}
