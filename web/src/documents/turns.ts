/** So many at a time, the others in the order in which they came. */
export interface Turns {
  /** Gives the function that ends the turn. */
  take(): Promise<() => void>;
}

export function createTurns(atOnce: number): Turns {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return {
    async take() {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return () => {
        const next = waiting.shift();
        if (next === undefined) free++;
        else next();
      };
    },
  };
}
