import { Refusal } from '#vocabulary/refusal';

const maxPerPerson = 8;
const maxInTotal = 1000;

/** How many answers may be on their way at once: for one person, and for all. The one too many is refused. */
export interface AnswerPlaces {
  /** Throws when there is none left. */
  take(personId: string): Disposable;
  /** For an answer whose place was taken before: counts it again, whatever the limits say. */
  occupy(personId: string): Disposable;
}

export function createAnswerPlaces(): AnswerPlaces {
  const takenBy = new Map<string, number>();
  let taken = 0;

  return {
    take(personId) {
      if (taken >= maxInTotal || (takenBy.get(personId) ?? 0) >= maxPerPerson) {
        throw new Refusal(
          'rate_limit_exceeded',
          'Too many answers are being written for you right now. Wait for one to end, or stop one.',
          { retryAfterSeconds: 5 },
        );
      }
      return occupy(personId);
    },
    occupy,
  };

  function occupy(personId: string): Disposable {
    change(personId, 1);
    let isHeld = true;
    return {
      [Symbol.dispose]() {
        if (isHeld) change(personId, -1);
        isHeld = false;
      },
    };
  }

  function change(personId: string, by: 1 | -1): void {
    taken += by;
    const count = (takenBy.get(personId) ?? 0) + by;
    if (count === 0) takenBy.delete(personId);
    else takenBy.set(personId, count);
  }
}
