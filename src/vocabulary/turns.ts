import type { Cancellation } from './cancellation.ts';
import { Refusal } from './refusal.ts';

export interface TurnLimits {
  readonly perPerson: number;
  readonly inTotal: number;
  /** Whoever comes when so many of their own wait is refused. */
  readonly maxWaitingPerPerson: number;
}

/** Work that is done for few at a time; the others wait, holding nothing. */
export interface Turns {
  take(personId: string, cancellation: Cancellation): Promise<Disposable>;
}

interface Waiting {
  readonly personId: string;
  readonly begin: () => void;
}

export function createTurns({ perPerson, inTotal, maxWaitingPerPerson }: TurnLimits): Turns {
  const busy = new Map<string, number>();
  let total = 0;
  const line: Waiting[] = [];

  return {
    async take(personId, cancellation) {
      if (!isFree(personId)) await wait(personId, cancellation);
      else occupy(personId, 1);
      return {
        [Symbol.dispose]() {
          occupy(personId, -1);
          callNext();
        },
      };
    },
  };

  function isFree(personId: string): boolean {
    return total < inTotal && (busy.get(personId) ?? 0) < perPerson;
  }

  function occupy(personId: string, by: 1 | -1): void {
    total += by;
    const count = (busy.get(personId) ?? 0) + by;
    if (count === 0) busy.delete(personId);
    else busy.set(personId, count);
  }

  async function wait(personId: string, cancellation: Cancellation): Promise<void> {
    if (line.filter((waiting) => waiting.personId === personId).length >= maxWaitingPerPerson) {
      throw new Refusal(
        'rate_limit_exceeded',
        'Too much is being read for you at once. Try again in a moment.',
        {
          retryAfterSeconds: 5,
        },
      );
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { personId, begin: resolve };
    line.push(waiting);
    const forget = cancellation.onCancel(() => {
      const index = line.indexOf(waiting);
      if (index < 0) return;
      line.splice(index, 1);
      reject(new Refusal('request_timeout', 'The connection closed before it was its turn.'));
    });
    await promise.finally(forget);
  }

  /** The first in the line whose turn it may be. */
  function callNext(): void {
    const index = line.findIndex(({ personId }) => isFree(personId));
    const [next] = index < 0 ? [] : line.splice(index, 1);
    if (next === undefined) return;
    occupy(next.personId, 1);
    next.begin();
  }
}
