import type { Clock } from '#vocabulary/clock';
import type { RunningMessage } from './running-message.ts';

/** Ended answers stay readable, for windows that come back, this long, at most so many, and so much of them. */
const keepMs = 5 * 60_000;
const justEndedMs = 10_000;
const maxAnswers = 200;
const maxCharacters = 32 * 1024 * 1024;

export interface EndedAnswers {
  add(answer: RunningMessage): void;
  find(generationId: string): RunningMessage | undefined;
  /** While somebody may still hold what the database said before the end. */
  findJustEnded(messageId: string): RunningMessage | undefined;
}

/** The oldest is forgotten when there are too many; its chat has it all the same. */
export function createEndedAnswers(clock: Clock): EndedAnswers {
  const kept = new Map<string, { readonly answer: RunningMessage; readonly untilMs: number }>();
  let characters = 0;

  return {
    add(answer) {
      kept.set(answer.description.id, { answer, untilMs: clock.monotonicMs() + keepMs });
      characters += answer.characters;
      forget();
    },
    find(generationId) {
      forget();
      return kept.get(generationId)?.answer;
    },
    findJustEnded(messageId) {
      const sinceMs = clock.monotonicMs() + keepMs - justEndedMs;
      const found = [...kept.values()].findLast(({ answer }) => answer.description.messageId === messageId);
      return found !== undefined && found.untilMs > sinceMs ? found.answer : undefined;
    },
  };

  function forget(): void {
    const now = clock.monotonicMs();
    for (const [id, { answer, untilMs }] of kept) {
      if (untilMs > now && kept.size <= maxAnswers && characters <= maxCharacters) return;
      kept.delete(id);
      characters -= answer.characters;
    }
  }
}
