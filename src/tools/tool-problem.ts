import type { ToolFailure } from '#vocabulary/tools';

/** Why a server could not be asked. What else it throws at us is nonsense. */
export class ToolProblem extends Error {
  readonly failure: ToolFailure;

  constructor(failure: ToolFailure, cause?: unknown) {
    super(failure, cause === undefined ? undefined : { cause });
    this.name = 'ToolProblem';
    this.failure = failure;
  }
}

export function failureOf(error: unknown): ToolFailure {
  return error instanceof ToolProblem ? error.failure : 'nonsense';
}
