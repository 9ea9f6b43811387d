/** How the last requests on an engine went, and for whom. Remembers a number of them. */
export interface RecentOutcomes {
  /** Undefined for a success, else whose request failed. */
  note(failedFor: string | undefined): void;
  readonly failures: number;
  /** Most of them failed, and not for one member alone: it is the engine, not a prompt. */
  readonly isBad: boolean;
  forget(): void;
}

const remembered = 20;
const leastFailures = 5;

export function createRecentOutcomes(): RecentOutcomes {
  let outcomes: (string | undefined)[] = [];
  /** Counted along: it is asked for with every request, and changes with few. */
  let failures = 0;
  const forget = () => {
    outcomes = [];
    failures = 0;
  };
  return {
    note(failedFor) {
      // Successes without a failure among them are not worth remembering.
      if (failedFor === undefined && failures === 0) return;
      outcomes.push(failedFor);
      if (failedFor !== undefined) failures++;
      if (outcomes.length > remembered && outcomes.shift() !== undefined) failures--;
      if (failures === 0) forget();
    },
    get failures() {
      return failures;
    },
    get isBad() {
      return (
        failures >= leastFailures &&
        failures * 2 > outcomes.length &&
        new Set(outcomes.filter((failedFor) => failedFor !== undefined)).size > 1
      );
    },
    forget,
  };
}
