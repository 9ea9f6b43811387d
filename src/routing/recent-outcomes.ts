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
  const failed = () => outcomes.filter((failedFor) => failedFor !== undefined);
  return {
    note(failedFor) {
      // Successes without a failure among them are not worth remembering.
      if (failedFor === undefined && outcomes.length === 0) return;
      outcomes.push(failedFor);
      if (outcomes.length > remembered) outcomes.shift();
      if (failed().length === 0) outcomes = [];
    },
    get failures() {
      return failed().length;
    },
    get isBad() {
      const failures = failed();
      return (
        failures.length >= leastFailures &&
        failures.length * 2 > outcomes.length &&
        new Set(failures).size > 1
      );
    },
    forget() {
      outcomes = [];
    },
  };
}
