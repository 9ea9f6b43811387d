const TrueDate = Date;

/** Makes the clock of this thread wrong by as much as `skewMs` says. What only counts time that has passed is right. */
export function setClockWrong(skewMs: () => number): void {
  globalThis.Date = class extends TrueDate {
    constructor(...words: [] | [string | number | Date]) {
      if (words.length === 0) super(TrueDate.now() + skewMs());
      else super(...words);
    }

    static override now(): number {
      return TrueDate.now() + skewMs();
    }
  } as DateConstructor;
}
