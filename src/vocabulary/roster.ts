/**
 * Who is here now, for what comes and goes with every request. A `Set` would do, but for one thing: each time its
 * table is replaced, V8 links the old table to the new one, and once one of them has grown old in memory, everything
 * that was ever in its successors stays until a full collection. Here nothing is left behind.
 */
export class Roster<Member> {
  readonly #entries: Entry<Member>[] = [];

  get size(): number {
    return this.#entries.length;
  }

  add(member: Member): RosterEntry {
    const entry: Entry<Member> = { member, place: this.#entries.length };
    this.#entries.push(entry);
    return entry;
  }

  /** Removing twice is harmless. */
  remove(entry: RosterEntry): void {
    const { place } = entry;
    if (this.#entries[place] !== entry) return;
    const last = this.#entries.pop();
    if (last === undefined || last === entry) return;
    this.#entries[place] = last;
    last.place = place;
  }

  /** In no particular order; members may come and go while one looks through it. */
  members(): Member[] {
    return this.#entries.map(({ member }) => member);
  }
}

/** What `add` gives and `remove` takes. */
export interface RosterEntry {
  readonly place: number;
}

interface Entry<Member> {
  readonly member: Member;
  place: number;
}
